"""Release policies: what is released by rule, what waits for a person, and what a broken policy says."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb_builder.assemble.policy import load_policy, read_policy
from kb_builder.assemble.promote import promote
from kb_builder.errors import PolicyError
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Approval, Claim, ClaimStatus, Edge, Provenance
from ontology.model.identifiers import mint
from ontology.model.spans import Span

WARFARIN = mint("Ingredient", "rxnorm", "11289")
SPAN = Span("a", "1", "drug_interactions", 0, 5, "words")
WHOLE = 'name = "site"\nversion = 3\nsource = "the board"\n[deterministic]\nhold = ["low"]\n[model]\nhold = ["high"]\n'


def interaction(model: str | None = None) -> Claim:
    payload = Advice((Step(Action.AVOID),))
    return Claim("interacts_with", WARFARIN, mint("Ingredient", "rxnorm", "5640"), payload, (SPAN,), Provenance("t", "1", model))


def membership() -> Claim:
    return Claim("belongs_to", WARFARIN, mint("DrugClass", "epc", "N1"), Edge(), (SPAN,), Provenance("metadata", "1"))


def test_a_deterministic_claim_is_approved_by_rule_and_marked_unread() -> None:
    settled = promote(interaction(), load_policy("default"), None)
    assert settled.status is ClaimStatus.APPROVED
    assert settled.approval == Approval("policy:default@1", "rule", read_by_person=False)


def test_a_conflicted_claim_is_released_with_the_reason() -> None:
    settled = promote(interaction(), load_policy("default"), "labels differ: b says monitor")
    assert (settled.status, settled.reason) == (ClaimStatus.CONFLICTED, "labels differ: b says monitor")
    assert settled.approval is not None


def test_a_models_high_risk_claim_always_waits_for_a_person() -> None:
    settled = promote(interaction("some-model"), load_policy("default"), None)
    assert settled.status is ClaimStatus.HELD
    assert settled.approval is None
    assert "policy:default@1 asks a person" in (settled.reason or "")


def test_the_strict_policy_holds_every_high_risk_claim_and_keeps_the_conflict_in_the_reason() -> None:
    policy = load_policy("strict")
    held = promote(interaction(), policy, "labels differ: b says monitor")
    assert held.status is ClaimStatus.HELD
    assert "labels differ" in (held.reason or "")
    assert promote(membership(), policy, None).status is ClaimStatus.APPROVED


def test_a_policy_file_of_a_site_is_read(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(WHOLE)
    policy = load_policy(str(path))
    assert policy.key == "policy:site@3"
    assert promote(interaction(), policy, None).status is ClaimStatus.APPROVED


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("[model]", "[model", "not TOML"),
        ("version = 3", "version = 0", "version: expected a whole number"),
        ("version = 3", "version = true", "version: expected a whole number"),
        ('name = "site"', 'name = ""', "name: expected a text"),
        ('source = "the board"', "", "source: say who"),
        ('["low"]', '["dangerous"]', "'dangerous' is not a tier"),
        ('hold = ["low"]', "", "takes exactly one key"),
        ("[model]", "[robots]", "unknown key 'robots'"),
    ],
)
def test_a_broken_policy_says_which_key_and_what_it_may_hold(old: str, new: str, reason: str) -> None:
    assert old in WHOLE
    with pytest.raises(PolicyError, match=reason):
        read_policy(WHOLE.replace(old, new), "site.toml")


def test_an_unknown_policy_names_the_shipped_ones() -> None:
    with pytest.raises(PolicyError, match="default, strict"):
        load_policy("no-such")


def test_no_policy_releases_what_a_model_says_on_high_risk() -> None:
    with pytest.raises(PolicyError, match="must list 'high'"):
        read_policy(WHOLE.replace('[model]\nhold = ["high"]', '[model]\nhold = ["medium"]'), "site")
