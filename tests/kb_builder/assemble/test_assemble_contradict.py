"""Contradictions: what cannot be followed together is marked, nothing is dropped, and the order of labels does not matter."""

from __future__ import annotations

import itertools

import pytest

from kb_builder.assemble.consolidate import RuleCount, merge_repeated
from kb_builder.assemble.contradict import LabelComparison, contradicted_within
from kb_builder.assemble.scope import proprietary_names
from kb_builder.assemble.stances import stance_of
from ontology.model.advice import Action, Advice, Step
from ontology.model.claims import Basis, Claim, Edge, Polarity, Provenance, Scope, rule_key
from ontology.model.guards import Opaque
from ontology.model.identifiers import mint
from ontology.model.spans import Span
from ontology.text.document import Document, DocumentVersion, ProductInfo, SubstanceInfo

WARFARIN = mint("Ingredient", "rxnorm", "11289")
IBUPROFEN = mint("Ingredient", "rxnorm", "5640")
PAIN = mint("Condition", "icd10cm", "R52")


def said(action: Action, document: str = "a", start: int = 0, **parts: object) -> Claim:
    span = Span(document, "1", "drug_interactions", start, start + 5, "words")
    members: dict[str, object] = {"predicate": "interacts_with", "object": IBUPROFEN, "payload": Advice((Step(action),))} | parts
    return Claim(subject=WARFARIN, evidence=(span,), provenance=Provenance("t", "1"), **members)  # type: ignore[arg-type]


def overruled(*claims: Claim) -> dict[str, str]:
    return contradicted_within((claim, stance_of(claim)) for claim in claims)


def test_a_dose_that_stays_yields_to_what_changes_the_treatment_in_the_same_label() -> None:
    avoid, stays, adjust = said(Action.AVOID), said(Action.NO_ADJUSTMENT), said(Action.ADJUST_DOSE)
    assert overruled(adjust, stays, avoid) == {stays.id: "the same label also says avoid, which is stricter"}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (Action.MONITOR, Action.ADJUST_DOSE),
        (Action.AVOID, Action.MONITOR),
        (Action.CONTRAINDICATED, Action.CAUTION),
        (Action.STOP, Action.NOT_RECOMMENDED),
        (Action.NO_ADJUSTMENT, Action.MONITOR),
        (Action.AVOID, Action.NOT_RECOMMENDED),
        (Action.CONTRAINDICATED, Action.NOT_STUDIED),
        (Action.SEPARATE, Action.CAUTION),
    ],
)
def test_advice_that_can_be_followed_together_is_no_contradiction(one: Action, two: Action) -> None:
    assert overruled(said(one), said(two)) == {}


def test_to_avoid_a_pregnancy_and_to_use_contraception_is_one_advice() -> None:
    may_conceive = mint("Population", "pharmgraph", "reproductive")
    avoid, contraception, never = (
        said(action, document, predicate="population_advice", object=may_conceive)
        for document, action in (("a", Action.AVOID), ("b", Action.CAUTION), ("c", Action.CONTRAINDICATED))
    )
    comparison = LabelComparison()
    for claim in (avoid, contraception):
        comparison.add(claim.document, [stance for stance in (stance_of(claim),) if stance is not None])
    assert [comparison.difference(c, s) for c in (avoid, contraception) if (s := stance_of(c)) is not None] == [None, None]
    comparison.add(never.document, [stance for stance in (stance_of(never),) if stance is not None])
    assert [comparison.difference(c, s) is None for c in (avoid, never) if (s := stance_of(c)) is not None] == [True, False]


def test_a_denial_is_the_mildest_word_and_a_denied_indication_the_strictest() -> None:
    monitor, denied = said(Action.MONITOR), said(Action.NO_ADJUSTMENT, polarity=Polarity.NEGATIVE)
    assert list(overruled(monitor, denied)) == [denied.id]
    use = said(Action.CAUTION, predicate="indicated_for", object=PAIN)
    not_use = said(Action.CAUTION, predicate="indicated_for", object=PAIN, polarity=Polarity.NEGATIVE)
    assert list(overruled(use, not_use)) == [use.id]


@pytest.mark.parametrize(
    "other",
    [
        said(Action.AVOID, guard=Opaque("in the elderly")),
        said(Action.AVOID, object=mint("Ingredient", "rxnorm", "1191")),
        said(Action.AVOID, scope=Scope(routes=("topical",))),
        said(Action.AVOID, scope=Scope(forms=("gel",))),
    ],
)
def test_another_guard_object_route_or_form_is_another_hazard(other: Claim) -> None:
    assert overruled(said(Action.NO_ADJUSTMENT), other) == {}


def test_edges_and_regimens_have_no_stance() -> None:
    assert stance_of(said(Action.AVOID, predicate="belongs_to", object=mint("DrugClass", "epc", "N1"), payload=Edge())) is None
    assert stance_of(said(Action.NO_RECOMMENDATION)) is None


def test_between_labels_the_stricter_is_marked_and_names_the_milder_in_any_order() -> None:
    claims = [said(Action.AVOID, "a"), said(Action.MONITOR, "b"), said(Action.MONITOR, "c"), said(Action.CONTRAINDICATED, "d")]
    outcomes = set()
    for order in itertools.permutations(claims):
        comparison = LabelComparison()
        for claim in order:
            stance = stance_of(claim)
            assert stance is not None
            comparison.add(claim.document, [stance])
        found = [(c.document, comparison.difference(c, s)) for c in claims if (s := stance_of(c)) is not None]
        outcomes.add(tuple(found))
    assert outcomes == {(("a", None), ("b", None), ("c", None), ("d", "labels differ: b says monitor"))}


def test_labels_that_agree_and_a_label_that_differs_only_within_itself_are_not_marked() -> None:
    comparison = LabelComparison()
    avoid, monitor = said(Action.AVOID), said(Action.MONITOR)
    stances = [s for c in (avoid, monitor) if (s := stance_of(c)) is not None]
    comparison.add("a", stances)
    comparison.add("b", stances[:1])
    assert comparison.difference(avoid, stances[0]) is None


def between(*claims: tuple[Claim, frozenset[str]]) -> list[str | None]:
    """What each claim is marked with, each said by a label of these brands."""
    comparison = LabelComparison()
    placed = [(claim, stance_of(claim, brands)) for claim, brands in claims]
    for claim, stance in placed:
        comparison.add(claim.document, [stance] if stance is not None else [])
    return [comparison.difference(claim, stance) if stance is not None else None for claim, stance in placed]


GENERIC: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (Action.CONTRAINDICATED, Action.AVOID),
        (Action.STOP, Action.NOT_RECOMMENDED),
        (Action.ADJUST_DOSE, Action.MONITOR),
        (Action.MONITOR, Action.NO_ADJUSTMENT),
        (Action.CAUTION, Action.NO_ADJUSTMENT),
        (Action.AVOID, Action.NOT_STUDIED),
    ],
)
def test_one_advice_in_two_strengths_is_no_difference_between_labels(one: Action, two: Action) -> None:
    assert between((said(one, "a"), GENERIC), (said(two, "b"), GENERIC)) == [None, None]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (Action.CONTRAINDICATED, Action.MONITOR),
        (Action.NOT_RECOMMENDED, Action.ADJUST_DOSE),
        (Action.AVOID, Action.SEPARATE),
        (Action.AVOID, Action.NO_ADJUSTMENT),
        (Action.ADJUST_DOSE, Action.NO_ADJUSTMENT),
    ],
)
def test_what_one_label_forbids_or_changes_and_another_lets_pass_is_a_difference(one: Action, two: Action) -> None:
    assert between((said(two, "b"), GENERIC), (said(one, "a"), GENERIC)) == [None, f"labels differ: b says {two.value}"]


def test_what_one_label_watches_and_another_denies_is_a_difference() -> None:
    denied = said(Action.NO_ADJUSTMENT, "b", polarity=Polarity.NEGATIVE)
    stays = said(Action.NO_ADJUSTMENT, "c")
    assert between((said(Action.MONITOR, "a"), GENERIC), (denied, GENERIC), (stays, GENERIC)) == ["labels differ: b says no such effect", None, None]


def test_two_brands_are_two_products_and_a_copy_is_compared_with_its_brand() -> None:
    avoid, monitor = said(Action.AVOID, "a"), said(Action.MONITOR, "b")
    depot, starter = frozenset({"depotan"}), frozenset({"depotan starter"})
    assert between((avoid, starter), (monitor, depot)) == [None, None]
    assert between((avoid, starter), (monitor, GENERIC)) == ["labels differ: b says monitor", None]
    assert between((avoid, depot), (monitor, depot)) == ["labels differ: b says monitor", None]
    assert between((avoid, depot), (monitor, GENERIC), (said(Action.CONTRAINDICATED, "c"), starter))[0] == "labels differ: b says monitor"


def test_a_dose_that_stays_in_one_phase_or_as_far_as_a_study_saw_contradicts_nothing() -> None:
    adjust = said(Action.ADJUST_DOSE)
    starting = said(Action.NO_ADJUSTMENT, payload=Advice((Step(Action.NO_ADJUSTMENT, parameter="starting dose"),)))
    seen = said(Action.NO_ADJUSTMENT, basis=Basis.REPORTED)
    assert overruled(adjust, starting, seen) == {}
    assert overruled(adjust, said(Action.NO_ADJUSTMENT)) != {}


def test_a_brand_that_names_its_substance_is_no_proprietary_name() -> None:
    substance = SubstanceInfo("WARFARIN SODIUM")
    product = ProductInfo("warfarin sodium", (substance,), ("Warfarin Sodium Tablets", "Thinnera"))
    document = Document("a", DocumentVersion("1", None, "h"), "", "openfda", "en", (), (product,))
    assert proprietary_names(document) == {"thinnera"}


def test_products_may_differ_in_indications() -> None:
    comparison = LabelComparison()
    use = said(Action.CAUTION, "a", predicate="indicated_for", object=PAIN)
    not_use = said(Action.CAUTION, "b", predicate="indicated_for", object=PAIN, polarity=Polarity.NEGATIVE)
    for claim in (use, not_use):
        stance = stance_of(claim)
        assert stance is not None
        comparison.add(claim.document, [stance])
    stance = stance_of(not_use)
    assert stance is not None
    assert comparison.difference(not_use, stance) is None


def test_a_statement_said_twice_is_one_claim_with_both_spans_in_printed_order() -> None:
    late, early, other = said(Action.AVOID, start=90), said(Action.AVOID, start=10), said(Action.MONITOR, start=50)
    merged = merge_repeated([late, other, early, late])
    assert [c.id for c in merged] == [late.id, other.id]
    assert [s.start for s in merged[0].evidence] == [10, 90]
    assert merged[0].statement.start == 10


def test_one_statement_in_the_columns_of_two_forms_is_for_both() -> None:
    tablet = said(Action.AVOID, scope=Scope(routes=("oral",), forms=("tablet",)))
    liquid = said(Action.AVOID, start=40, scope=Scope(forms=("suspension",)))
    (merged,) = merge_repeated([tablet, liquid])
    assert merged.scope == Scope(forms=("tablet", "suspension"))


def test_equal_rules_of_several_labels_are_counted_once() -> None:
    count = RuleCount()
    for claim in (said(Action.AVOID, "a"), said(Action.AVOID, "b"), said(Action.MONITOR, "b")):
        count.add(rule_key(claim))
    assert (count.claims, count.rules) == (3, 2)
