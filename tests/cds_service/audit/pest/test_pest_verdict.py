"""Which rules bind: adjustments over the usual dose, the narrowest of them, alternatives side by side, a treatment that is begun."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec import structs
from pest_builders import PARTNER, D, age, band, condition, crcl, flat, holding, ordering, question, regimen, rule

from cds_service.audit.pest.amounts import OrderedAmounts
from cds_service.audit.pest.applicability import Applied
from cds_service.audit.pest.bands import Band
from cds_service.audit.pest.compare import Fit
from cds_service.audit.pest.guards import COMEDICATION, RENAL_FUNCTION
from cds_service.audit.pest.verdict import Verdict, judge_regimens
from ontology.model.dosing import PhaseKind
from ontology.model.guards import AllOf, Exposure, Opaque, Truth
from ontology.model.identifiers import EntityId

USUAL, RENAL = flat("20"), flat("10")
ORDER_20, ORDER_10 = ordering("20", "20"), ordering("10", "10")
EPILEPSY, GOUT = condition("epilepsy"), condition("gout")


def judge(ordered: OrderedAmounts, rules: Mapping[Applied, str], *, assumed: Applied | None = None, starting: bool = False) -> Verdict:
    """The verdict on rules given with what each allows a day."""
    bands: dict[str, list[Band]] = {a.rule.key: [band(daily)] for a, daily in rules.items()}
    return judge_regimens(question(ordered, bands, starting=starting), [a for a in rules if a is not assumed], assumed)


def usual(of: EntityId | None = None, kind: PhaseKind = PhaseKind.USUAL, key: str = "usual", **more: Truth) -> Applied:
    made = regimen(USUAL, kind=kind)
    return holding(rule(key, made) if of is None else rule(key, made, of=of), **more)


RENAL_RULE = holding(rule("renal", regimen(RENAL), crcl("15", "30")))


def test_an_adjustment_that_holds_binds_over_the_usual_dose() -> None:
    found = judge(ORDER_20, {usual(): "20", RENAL_RULE: "10"})
    assert (found.fit, found.family, found.lead) == (Fit.OVER, RENAL_FUNCTION, RENAL_RULE)


def test_the_adjusted_dose_is_right() -> None:
    assert judge(ORDER_10, {usual(): "10-20", RENAL_RULE: "10"}).fit is Fit.FITS


def test_every_adjustment_must_be_respected() -> None:
    partner = holding(rule("partner", regimen(flat("5")), Exposure(PARTNER)))
    found = judge(ORDER_10, {RENAL_RULE: "10", partner: "5"})
    assert (found.fit, found.family) == (Fit.OVER, COMEDICATION)


def test_the_narrowest_of_two_adjustments_binds() -> None:
    both = holding(rule("both", regimen(flat("5")), AllOf((crcl("15", "30"), Exposure(PARTNER)))))
    found = judge(ORDER_10, {RENAL_RULE: "10", both: "5"})
    assert (found.fit, found.lead) == (Fit.OVER, both)


def test_the_narrower_of_two_bands_of_one_kind_binds() -> None:
    narrow = holding(rule("narrow", regimen(flat("5")), crcl("15", "20")))
    found = judge(ORDER_10, {RENAL_RULE: "10", narrow: "5"})
    assert (found.fit, found.lead) == (Fit.OVER, narrow)


def test_a_rule_that_hangs_on_a_datum_excuses_nothing() -> None:
    open_ = holding(rule("heavy", regimen(flat("40")), crcl("60")), Truth.UNKNOWN, needs=("renal-function",))
    assert judge(ordering("40", "40"), {usual(): "20", open_: "40"}).fit is Fit.OVER


def test_rules_side_by_side_are_alternatives() -> None:
    assert judge(ORDER_20, {usual(key="a"): "10", usual(key="b"): "20"}).fit is Fit.FITS


def test_rows_of_a_table_that_overlap_are_alternatives() -> None:
    upper = holding(rule("upper", regimen(USUAL), crcl("30")))
    assert judge(ORDER_20, {upper: "20", RENAL_RULE: "10"}).fit is Fit.FITS


def test_a_wider_row_is_no_alternative_to_the_narrower() -> None:
    wide = holding(rule("wide", regimen(USUAL), crcl("15")))
    assert judge(ORDER_20, {wide: "20", RENAL_RULE: "10"}).fit is Fit.OVER


def test_a_rule_that_hangs_on_a_datum_counts_only_when_assumed() -> None:
    open_ = holding(RENAL_RULE.rule, Truth.UNKNOWN, needs=("renal-function",))
    assert judge(ORDER_20, {usual(): "20", open_: "10"}).fit is Fit.FITS
    assert judge(ORDER_20, {usual(): "20", open_: "10"}, assumed=open_).fit is Fit.OVER


def test_words_for_a_person_to_judge_may_excuse_and_never_accuse() -> None:
    words = holding(rule("words", regimen(flat("40"))), Truth.UNKNOWN, judge=True)
    strict = holding(rule("strict", regimen(flat("10")), crcl(high="30")), Truth.UNKNOWN, judge=True)
    assert judge(ordering("40", "40"), {usual(): "20", words: "40"}).fit is Fit.FITS
    assert judge(ORDER_20, {usual(): "20", strict: "10"}).fit is Fit.FITS


def test_the_rules_for_the_very_use_leave_no_room_for_others() -> None:
    other = usual(GOUT, key="gout", use=Truth.UNKNOWN)
    assert judge(ORDER_20, {usual(EPILEPSY): "10", other: "20"}).fit is Fit.OVER
    assert judge(ORDER_20, {usual(EPILEPSY, use=Truth.UNKNOWN): "10", other: "20"}).fit is Fit.FITS


START = holding(rule("start", regimen(flat("25"), kind=PhaseKind.STARTING), of=EPILEPSY))
MAINTAIN = usual(EPILEPSY, PhaseKind.MAINTENANCE, key="maintain")


@pytest.mark.parametrize(
    ("daily", "starting", "fit"),
    [("25", True, Fit.FITS), ("50", True, Fit.NONE), ("300", True, Fit.OVER), ("300", False, Fit.FITS), ("25", False, Fit.FITS)],
)
def test_a_treatment_that_is_raised_slowly_is_not_begun_at_its_maintenance_dose(daily: str, starting: bool, fit: Fit) -> None:
    assert judge(ordering(None, daily), {START: "25", MAINTAIN: "225-375"}, starting=starting).fit is fit


@pytest.mark.parametrize(
    ("starting", "changing", "days", "fit"),
    [(True, False, "14", Fit.OVER), (True, True, "14", Fit.NONE), (False, False, "14", Fit.FITS), (True, False, None, Fit.NONE)],
)
def test_a_first_dose_that_is_given_for_some_days_is_not_left_out(starting: bool, changing: bool, days: str | None, fit: Fit) -> None:
    bands = {START.rule.key: [structs.replace(band("25"), days_high=None if days is None else D(days))], MAINTAIN.rule.key: [band("50")]}
    asked = question(ordering(None, "50", changing=changing), bands, starting=starting)
    assert judge_regimens(asked, [START, MAINTAIN]).fit is fit


def test_a_starting_dose_for_a_kind_of_patient_binds_only_a_start() -> None:
    start = holding(rule("start-old", regimen(flat("5"), kind=PhaseKind.STARTING), age("65")))
    assert judge(ORDER_20, {usual(): "20", start: "5"}, starting=True).fit is Fit.OVER
    assert judge(ORDER_20, {usual(): "20", start: "5"}, starting=False).fit is Fit.FITS


@pytest.mark.parametrize(
    ("kind", "fit"),
    [(PhaseKind.ADJUSTED, Fit.OVER), (PhaseKind.MAINTENANCE, Fit.OVER), (PhaseKind.STARTING, Fit.FITS), (PhaseKind.USUAL, Fit.FITS)],
)
def test_words_on_a_treatment_under_way_excuse_no_first_dose(kind: PhaseKind, fit: Fit) -> None:
    start = holding(rule("start-renal", regimen(flat("5"), kind=PhaseKind.STARTING), crcl(high="40")))
    words = holding(rule("words", regimen(flat("20"), kind=kind), crcl(high="40")), Truth.UNKNOWN, judge=True)
    assert judge(ORDER_20, {start: "5", words: "20"}, starting=True).fit is fit


def test_no_rule_gives_no_verdict() -> None:
    found = judge(ORDER_20, {})
    assert (found.fit, found.lead, found.comparison.ratio) == (Fit.NONE, None, D(1))


def test_of_a_range_for_the_aged_a_new_order_takes_the_dose_that_they_start_with() -> None:
    ranged = holding(rule("ranged", regimen(flat("5-10")), age("65")))
    first = holding(rule("first", regimen(flat("5"), kind=PhaseKind.STARTING), age("65")))
    rules = {ranged: "5-10", first: "5"}
    assert judge(ORDER_10, rules, starting=True).lead == first
    assert judge(ORDER_10, rules, starting=True).fit is Fit.OVER
    assert judge(ordering("5", "5"), rules, starting=True).fit is Fit.FITS
    assert judge(ORDER_10, rules).fit is Fit.FITS


def test_a_range_that_begins_above_the_first_dose_stays() -> None:
    ranged = holding(rule("ranged", regimen(flat("8-10")), age("65")))
    first = holding(rule("first", regimen(flat("5"), kind=PhaseKind.STARTING), age("65")))
    assert judge(ORDER_10, {ranged: "8-10", first: "5"}, starting=True).fit is Fit.FITS


@pytest.mark.parametrize(("words", "fit"), [("who do not respond to a trial of the lower dose", Fit.OVER), ("who are well enough", Fit.FITS)])
def test_what_is_for_those_whom_a_lower_dose_did_not_help_excuses_no_first_dose(words: str, fit: Fit) -> None:
    first = holding(rule("first", regimen(flat("5"), kind=PhaseKind.STARTING), age("65")))
    raised = holding(rule("raised", regimen(flat("10")), AllOf((age("65"), Opaque(words)))), Truth.UNKNOWN, judge=True)
    assert judge(ORDER_10, {first: "5", raised: "10"}, starting=True).fit is fit
