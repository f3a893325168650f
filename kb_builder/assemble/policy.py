"""Release policies: which claims a build may release by rule, and which wait for a person."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from kb_builder.errors import PolicyError
from ontology.model.claims import Claim
from ontology.model.predicates import RiskTier

SHIPPED = ("default", "strict")
_KEYS = {"name", "version", "source", "deterministic", "model"}


@dataclass(frozen=True, slots=True)
class ReleasePolicy:
    """The tiers that wait for a person, apart for claims of deterministic extractors and of models."""

    name: str
    version: int
    source: str
    hold_deterministic: frozenset[RiskTier]
    hold_model: frozenset[RiskTier]

    @property
    def key(self) -> str:
        """`policy:<name>@<version>`, as approvals name it."""
        return f"policy:{self.name}@{self.version}"

    def holds(self, claim: Claim) -> bool:
        """True when a person must read the claim first."""
        held = self.hold_deterministic if claim.provenance.model is None else self.hold_model
        return claim.spec.tier in held


def load_policy(name: str) -> ReleasePolicy:
    """The shipped policy of this name, or the one in the TOML file at this path. Raises PolicyError saying which key is wrong."""
    if name in SHIPPED:
        text = files("kb_builder.assemble").joinpath("policies", f"{name}.toml").read_text(encoding="utf-8")
        return read_policy(text, name)
    path = Path(name)
    if not path.is_file():
        raise PolicyError(f"policy {name!r}: neither a shipped policy ({', '.join(SHIPPED)}) nor a file")
    try:
        return read_policy(path.read_text(encoding="utf-8"), name)
    except (OSError, UnicodeDecodeError) as e:
        raise PolicyError(f"policy {name}: cannot be read: {e}") from e


def read_policy(text: str, where: str) -> ReleasePolicy:
    """The policy in a TOML text. Raises PolicyError."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        raise PolicyError(f"policy {where}: not TOML: {e}") from e
    strange = sorted(set(data) - _KEYS)
    if strange:
        raise PolicyError(f"policy {where}: unknown key {strange[0]!r}; known are {', '.join(sorted(_KEYS))}")
    name, version, source = data.get("name"), data.get("version"), data.get("source", "")
    if not isinstance(name, str) or not name.strip():
        raise PolicyError(f"policy {where}: name: expected a text, found {name!r}")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise PolicyError(f"policy {where}: version: expected a whole number from 1, found {version!r}")
    if not isinstance(source, str) or not source.strip():
        raise PolicyError(f"policy {where}: source: say who decided this policy and where")
    held = _tiers(data, "model", where)
    if RiskTier.HIGH not in held:
        raise PolicyError(f"policy {where}: [model] hold: must list 'high'; what a model says on it is never released before a person has read it")
    return ReleasePolicy(name, version, source, _tiers(data, "deterministic", where), held)


def _tiers(data: dict[str, Any], table: str, where: str) -> frozenset[RiskTier]:
    block = data.get(table)
    if not isinstance(block, dict) or set(block) != {"hold"} or not isinstance(block["hold"], list):
        raise PolicyError(f"policy {where}: [{table}] takes exactly one key, hold = [tiers]; found {block!r}")
    known = [tier.value for tier in RiskTier]
    strange = [tier for tier in block["hold"] if tier not in known]
    if strange:
        raise PolicyError(f"policy {where}: [{table}] hold: {strange[0]!r} is not a tier; tiers are {', '.join(known)}")
    return frozenset(RiskTier(tier) for tier in block["hold"])
