"""How findings of a check are shown: a mode a check, and exceptions by hook and unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from cds_service.answer.errors import InvalidPolicy
from cds_service.answer.policy_reading import known_members, names, note, rows, word
from cds_service.audit.checks.registry import CHECKS

HOOKS = ("order-sign", "order-select")
"""The hooks that a policy can name."""

ALSO_CALLED = {"medication-prescribe": "order-sign"}
"""Hooks of earlier versions, and what they are read as."""

CHECK_NAMES = tuple(c.name for c in CHECKS)


class Mode(StrEnum):
    """How a check's findings are shown."""

    SILENT = "silent"
    INFO = "info"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a request comes from: its hook, and the names and codes of the ward or service, none where the request does not say."""

    hook: str
    units: frozenset[str] = frozenset()

    @classmethod
    def of(cls, hook: str, units: Iterable[str]) -> Scene:
        """The scene with the hook's present name and units without regard to case."""
        return cls(ALSO_CALLED.get(hook, hook), frozenset(folded(u) for u in units))


@dataclass(frozen=True, slots=True)
class Reach:
    """The scenes that an entry of the policy is for: all of them where it names no hook and no unit."""

    hooks: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

    @classmethod
    def read(cls, row: Mapping[str, Any], where: str) -> Reach:
        """The reach that a row states by `hooks` and `units`."""
        return cls(names(row, "hooks", where, HOOKS), names(row, "units", where))

    def holds(self, scene: Scene) -> bool:
        """True when the entry counts there. A unit that is named is never met by a request that does not say its unit."""
        return (not self.hooks or scene.hook in self.hooks) and (not self.units or any(folded(u) in scene.units for u in self.units))

    @property
    def words(self) -> str:
        """The reach in words, empty where it is everywhere."""
        said = [*([f"at {' and '.join(self.hooks)}"] if self.hooks else []), *([f"in {', '.join(self.units)}"] if self.units else [])]
        return " ".join(said)


@dataclass(frozen=True, slots=True)
class ModeException:
    """Another mode for some checks at some hooks or units; every check where it names none."""

    checks: tuple[str, ...]
    reach: Reach
    mode: Mode
    why: str


def read_modes(data: Mapping[str, Any], where: str) -> Mapping[str, Mode]:
    """The mode of each check that the table names; one that is not live needs the note `why`."""
    found: dict[str, Mode] = {}
    for name, value in data.items():
        if name == "why":
            continue
        if name not in CHECK_NAMES:
            raise InvalidPolicy(f"{where}: [modes] names {name!r}, which is no check; checks are {', '.join(CHECK_NAMES)}")
        if value not in tuple(Mode):
            raise InvalidPolicy(f"{where}: mode of {name} is {value!r}; expected one of {', '.join(Mode)}")
        found[name] = Mode(value)
    if any(m is not Mode.LIVE for m in found.values()):
        note(data, "why", f"{where}, [modes]")
    return found


def read_exceptions(data: Mapping[str, Any], where: str) -> tuple[ModeException, ...]:
    """The [[mode]] rows in the order of the file."""
    found = []
    for row, place in rows(data, "mode", where):
        known_members(row, ("checks", "hooks", "units", "mode", "why"), place)
        reach = Reach.read(row, place)
        if not reach.hooks and not reach.units:
            raise InvalidPolicy(f"{place}: names neither hooks nor units; give one of them, or set the check's mode in [modes]")
        found.append(ModeException(names(row, "checks", place, CHECK_NAMES), reach, Mode(word(row, "mode", Mode, place)), note(row, "why", place)))
    return tuple(found)


def modes_at(modes: Mapping[str, Mode], exceptions: Iterable[ModeException], scene: Scene) -> Mapping[str, Mode]:
    """The modes in a scene: of each check the first exception that holds there, else its own."""
    found = dict(modes)
    for exception in reversed([e for e in exceptions if e.reach.holds(scene)]):
        found.update(dict.fromkeys(exception.checks or CHECK_NAMES, exception.mode))
    return found


def folded(unit: str) -> str:
    """A unit's name as it is compared."""
    return " ".join(unit.split()).casefold()
