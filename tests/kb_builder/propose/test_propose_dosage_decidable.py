"""Opaque words of a dose's guard that are a use, a form, a phase, a response or nothing stand in their own place; real conditions stay in the guard."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.leftovers import _book, says_nothing, without_leftovers, without_words
from kb_builder.propose.dosage.proposer import DosageProposer
from kb_builder.propose.dosage.restated import restated
from kb_builder.propose.dosage.standing import EVERYONE
from kb_builder.propose.dosage.use_words import Uses
from kb_builder.propose.dosage.waiting import waits_for_response, without_waiting
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import read_section
from kb_builder.propose.reading.things import thing_finder, uncoded
from ontology.model.dosing import Amount, Limit, LimitScope, Measure, Phase, PhaseKind, Regimen
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Exposure, Not, Opaque, leaves
from ontology.model.spans import SpanRole

DOSE = Regimen((Phase(PhaseKind.USUAL, (Amount(None, None, "mg", choices=(1,)),)),))


@pytest.fixture
def draft(label):
    """`draft(text, *opaque words, payload)`: a draft of that statement whose conditions are those words of it."""

    def make(text, *words, payload=DOSE, target=EVERYONE):
        made = label(text, "dosage_and_administration")
        reading = read_section(
            made.document.section("dosage_and_administration"), thing_finder(made.lexicon, made.document, made.subject.id, made.subject.ingredients)
        )
        at = [reading.blank.index(w) for w in words]
        limits = tuple(Restriction(Opaque(w), a, a + len(w)) for w, a in zip(words, at, strict=True))
        end = len(reading.blank.rstrip())
        one = Draft(reading, "has_dose_rule", target, (end - 4, end), (0, end), limits=limits, payload=payload)
        return one, made.lexicon

    return make


@pytest.fixture
def claims(label):
    """`claims(text, uses)`: the dose claims of a label."""

    def read(text, uses=""):
        made = label(text, "dosage_and_administration", **({"indications_and_usage": uses} if uses else {}))
        return [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]

    return read


def opaque(limits):
    return [leaf.text for r in limits for leaf in leaves(r.guard) if isinstance(leaf, Opaque)]


USES = "ZOCOR is indicated for resistant hypertension and for short-term treatment of symptomatic heart failure in the congestive phase (CP)."


@pytest.mark.parametrize(
    ("text", "words", "use"),
    [
        ("Dosage for Resistant Hypertension: 4 mg", "Resistant", "Resistant Hypertension"),
        ("Short-Term Treatment of Symptomatic Heart Failure 4 mg", "Short-Term Treatment of Symptomatic", "Short-Term Treatment of Symptomatic Heart Failure"),
        ("Patients with symptomatic heart failure in CP 4 mg", "CP", "symptomatic heart failure in CP"),
    ],
)
def test_words_of_a_use_are_in_the_object(draft, text, words, use):
    one, lexicon = draft(text, words)
    told = restated(one, Uses.of(USES, {"CP": "congestive phase"}), lexicon)
    assert (told.target.words, opaque(told.limits)) == (use, [])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Dosage for Debilitated Hypertension: 4 mg", "Debilitated"),  # no word of the indications
        ("Resistant patients with hypertension 4 mg", "Resistant"),  # of the people, not of the disease
        ("Monotherapy of Hypertension 4 mg", "Monotherapy"),
        ("Symptomatic people: 4 mg", "Symptomatic"),  # names no disease
        ("Resistant or severe hypertension 4 mg", "severe"),
    ],
)
def test_what_is_no_part_of_a_use_stays_a_condition(draft, text, words):
    one, lexicon = draft(text, words)
    assert restated(one, Uses.of(USES, {}), lexicon) == one


def test_a_phrase_of_another_use_is_no_object(draft):
    one, lexicon = draft("Symptomatic heart failure 4 mg", "Symptomatic", target=EVERYONE)
    asthma = restated(one, Uses.of(USES, {}), lexicon).target
    other, _ = draft("Resistant hypertension 4 mg", "Resistant", target=asthma)
    assert restated(other, Uses.of(USES, {}), lexicon) == other


@pytest.mark.parametrize("words", ["hours", "rounded for ease", "Daily Oral Dose", "mesylate", "generally beginning", "undergoing", "Weight-based"])
def test_words_of_columns_units_and_print_say_nothing(words):
    assert says_nothing(words)


@pytest.mark.parametrize(
    "words",
    [
        "severe",
        "not",
        "Monotherapy",
        "premature",
        "first dose",
        "hospitalized",
        "risk",
        "stable",
        "dose reduction",
        "with food",
        "naive",
        "without",
        "unable",
        "",
    ],
)
def test_words_of_a_condition_do_not(words):
    assert not says_nothing(words)


@given(st.lists(st.sampled_from(["hours", "severe", "daily", "elderly", "oral", "hepatic"]), min_size=1, max_size=4))
def test_one_word_of_a_condition_keeps_the_whole_leaf(words):
    assert says_nothing(" ".join(words)) == all(w in ("hours", "daily", "oral") for w in words)


def test_a_denial_keeps_its_words():
    kept = Restriction(Not(Opaque("hours")), 0, 5)
    mixed = Restriction(AllOf((Opaque("hours"), Opaque("severe"))), 0, 5)
    either = Restriction(AnyOf((Opaque("hours"), Opaque("daily"))), 0, 5)
    assert without_words((kept, mixed, either), says_nothing) == (kept, Restriction(Opaque("severe"), 0, 5))


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("Oral Suspension Only", "suspension"),
        ("Tablets", "tablet"),
        ("Chewable Tablets", "chewable tablet"),
        ("ZOCOR Granules", "granules"),
        ("ZOCOR 25 mg Tablets for Oral Suspension", "tablets for oral suspension"),
        ("XR", "xr"),
    ],
)
def test_a_column_of_a_form_is_the_form(draft, words, form):
    told = without_leftovers(draft(f"{words} 4 mg", words)[0])
    assert (told.forms, told.limits) == ((form,), ())


def test_a_phase_and_a_duration_are_the_regimens(draft):
    phase = without_leftovers(draft("Titration phase 4 mg", "Titration phase")[0]).payload.phases[0]
    days = without_leftovers(draft("Duration (days): 7 to 14 4 mg", "Duration (days): 7 to 14")[0]).payload.phases[0]
    assert (phase.kind, days.duration_days_low, days.duration_days_high) == (PhaseKind.TITRATION, 7, 14)


@pytest.mark.parametrize(
    "words",
    [
        "the response to 2.5 mg is not satisfactory after 4 weeks",
        "not achieve optimal control",
        "the 5 mg dose is well tolerated",
        "a satisfactory reduction in blood pressure does not occur within 3 weeks",
    ],
)
def test_words_on_how_treatment_went_are_a_response(words):
    assert waits_for_response(words)


@pytest.mark.parametrize(
    "words",
    [
        "symptoms persist",
        "the rash has improved",
        "intolerant of digoxin",
        "platelet response above 50",
        "severe symptoms",
        "the patient is 4 weeks of age",
        "",
    ],
)
def test_words_on_a_state_are_none(words):
    assert not waits_for_response(words)


def test_a_raised_dose_keeps_its_response_in_the_phase(claims):
    found = claims("If the response to 5 mg is not satisfactory after 2 weeks, the dose may be increased to 10 mg once daily.")
    phase = next(c for c in found if isinstance(c.payload, Regimen)).payload.phases[0]
    assert (phase.kind, "not satisfactory" in phase.until, {c.guard for c in found}) == (PhaseKind.TITRATION, True, {None})


@pytest.mark.parametrize(
    "text",
    [
        "Reduce the dose to 5 mg once daily if 10 mg is not well tolerated.",
        "If the response is not satisfactory, take 40 mg once daily.",
        "Increase the dose to 40 mg once daily if serum potassium improves and the rash has not.",
    ],
)
def test_what_lowers_a_dose_or_asks_for_more_stays_in_the_guard(claims, text):
    assert all(c.guard is not None for c in claims(text))


def test_a_ceiling_to_raise_to_holds_for_all(draft):
    limit = Limit(Measure.DAY, LimitScope.PRODUCT, Amount(None, 40, "mg"))
    words = "the response is not adequate"
    raised = draft(f"If {words}, the dose may be increased to a maximum of 40 mg", words, payload=limit)[0]
    plain = draft(f"If {words}, do not exceed 40 mg", words, payload=limit)[0]
    assert (without_waiting(raised).limits, without_waiting(plain).limits) == ((), plain.limits)


def test_a_strength_over_volumes_is_their_concentration(draft):
    volume = Regimen((Phase(PhaseKind.USUAL, (Amount(4, 4, "mL"),)),))
    told = without_leftovers(draft("25 mg/5 mL oral suspension 4 mL", "25 mg/5 mL oral suspension", payload=volume)[0])
    assert (told.payload.phases[0].concentration, told.forms, told.limits) == (Amount(5, 5, "mg/mL"), ("suspension",), ())
    mass = draft("25 mg/5 mL oral suspension 4 mg", "25 mg/5 mL oral suspension")[0]
    assert without_leftovers(mass) == mass


def test_words_of_a_birth_are_told_by_its_weeks(claims):
    found = claims("The dose in preterm neonates with a gestational age below 32 weeks is 4 mg once daily. The dose in preterm infants is 8 mg once daily.")
    told = {str(c.payload.phases[0].amounts[0].high): [leaf.text for leaf in leaves(c.guard) if isinstance(leaf, Opaque)] for c in found}
    assert told == {"4": [], "8": ["preterm"]}


def test_one_of_several_uses_is_the_object_alone(draft):
    names = {"RHTN": "resistant hypertension", "CHF": "congestive heart failure"}
    uses = Uses.of("Resistant hypertension (RHTN), congestive heart failure (CHF) or asthma", names)
    several = uncoded(EntityType.CONDITION, "Resistant Hypertension, CHF, or Asthma")
    one, lexicon = draft("In resistant hypertension 4 mg", "resistant", target=several)
    assert restated(one, uses, lexicon).target.words == "resistant hypertension"


def test_a_response_in_the_words_of_the_use_is_a_response():
    assert waits_for_response("there is no improvement in pruritus after 3 months", "Pruritus")
    assert not waits_for_response("there is no improvement in pruritus after 3 months", "Asthma")


def test_patients_treated_with_a_drug_are_those_on_it(claims):
    found = claims("The dose for digoxin-treated patients is 4 mg once daily.")
    assert [leaf.target.code for c in found for leaf in leaves(c.guard)] == ["digoxin"]


def test_a_partner_behind_which_its_cycle_stands_is_a_partner(claims):
    found = claims("The dose is 4 mg once daily in combination with chemotherapy every 3 weeks.")
    assert [type(leaf) for c in found for leaf in leaves(c.guard)] == [Exposure]


def test_dose_words_at_the_ends_of_a_uses_heading_are_no_part_of_it(draft):
    words = "Recommended Dosage for Patients with Resistant Hypertension (Once Daily)"
    one, lexicon = draft(f"{words} 4 mg", words)
    told = restated(one, Uses.of(USES, {}), lexicon)
    assert (told.target.words, told.limits) == ("Resistant Hypertension", ())


def test_a_use_by_letters_is_a_use(draft):
    uses = Uses.of("for moderate to severe hidradenitis suppurativa (HS)", {"HS": "hidradenitis suppurativa"})
    one, lexicon = draft("in patients with moderate to severe HS 4 mg", "moderate to severe HS")
    assert restated(one, uses, lexicon).target.words == "moderate to severe HS"


def test_a_name_that_is_cut_is_no_use(draft):
    one, lexicon = draft("patients with hypertension associated with goitre 4 mg", "associated with")
    assert restated(one, Uses.of("hypertension associated with stress", {}), lexicon) == one


@pytest.mark.parametrize(
    "words",
    [
        "Maximum daily dosage should not exceed 6 grams",
        "in both men and women",
        "up to 8 cycles",
        "Preterm or Full-Term",
        "for all patients regardless of weight",
    ],
)
def test_sentences_that_tell_no_patient_from_another_say_nothing(words):
    assert says_nothing(words)


def test_a_heading_on_treatment_with_one_drug_is_what_the_patient_takes(claims):
    found = claims("Penicillin Therapy (General)\n\nAdults: 2 grams daily in divided doses.")
    assert [leaf.target.code for c in found for leaf in leaves(c.guard) if isinstance(leaf, Exposure)] == ["penicillins"]


def test_a_part_of_a_combination_of_chemotherapy_is_beside_it(claims):
    found = claims("The dose, as part of a multi-agent combination chemotherapy regimen, is 4 mg once daily.")
    assert [leaf for c in found for leaf in leaves(c.guard) if isinstance(leaf, Opaque)] == []
    assert [type(leaf) for c in found for leaf in leaves(c.guard)] == [Exposure]


def test_words_that_the_object_holds_are_no_condition(draft):
    use = uncoded(EntityType.CONDITION, "Uncomplicated Skin Infections")
    one, lexicon = draft("SKIN Uncomplicated infections, severe 4 mg", "SKIN", "severe", target=use)
    assert opaque(restated(one, Uses.of("skin infections", {}), lexicon).limits) == ["severe"]
    several = uncoded(EntityType.CONDITION, "Mild or Severe Skin Infections")
    assert opaque(restated(draft("severe 4 mg", "severe", target=several)[0], Uses.of("skin infections", {}), lexicon).limits) == ["severe"]


def test_an_alternative_is_never_taken_away():
    either = Restriction(AnyOf((Opaque("volume depletion"), Opaque("hours"))), 0, 5)
    assert without_words((either,), says_nothing) == (either,)


def test_a_phrase_ends_with_its_cell(draft):
    one, lexicon = draft("Symptomatic Resistant Hypertension 4 mg", "Resistant")
    cell = replace(one, cited=(((12, 34), SpanRole.COLUMN_HEADER),))
    assert [restated(d, Uses.of(USES, {}), lexicon).target.words for d in (one, cell)] == ["Symptomatic Resistant Hypertension", "Resistant Hypertension"]


def test_the_product_itself_is_no_partner(draft):
    one, _ = draft("patients taking digoxin concomitantly with ZOCOR 4 mg", "concomitantly with ZOCOR")
    held, _ = draft("patients unable to tolerate ZOCOR 4 mg", "unable to tolerate ZOCOR")
    assert (without_leftovers(one).limits, without_leftovers(held).limits) == ((), held.limits)


@given(st.text(alphabet="0123456789. mgL/oralsuspen", max_size=24).map(lambda s: s + " mg/mL oral suspension"))
def test_no_strength_makes_it_fail(words):
    assert _book().form.fullmatch(words) is None or Decimal(_book().form.fullmatch(words)["mg"] or 0) >= 0


def test_a_use_closes_a_heading_on_people_in_words_beside_it(claims):
    uses = "ZOCOR is indicated for hypertension and asthma."
    text = (
        "Adults\n\nHypertension\n\nTake 4 mg once daily.\n\nHospitalized Patients in Manic States\n\nTake 8 mg once daily.\n\nAsthma\n\nTake 16 mg once daily."
    )
    told = {str(c.payload.phases[0].amounts[0].high): [leaf.text for leaf in leaves(c.guard) if isinstance(leaf, Opaque)] for c in claims(text, uses)}
    assert told["16"] == []
    assert told["8"] != []


def test_a_state_behind_words_on_doses_is_the_state(claims):
    found = claims("Dose Modification Guidelines Hepatic Impairment\n\nReduce the dose to 4 mg once daily.")
    assert [leaf.axis for c in found for leaf in leaves(c.guard)] == [Axis.HEPATIC]


def test_a_phrase_with_another_drug_is_no_use(draft):
    one, lexicon = draft("Resistant hypertension of digoxin 4 mg", "Resistant")
    assert restated(one, Uses.of("resistant hypertension of digoxin", {}), lexicon) == one


@pytest.mark.parametrize(
    ("words", "uses", "letters"),
    [
        ("HSCT Recipients", "in recipients of a stem cell transplant (HSCT)", {"HSCT": "stem cell transplant"}),
        ("Kidney Transplant Recipients", "in kidney transplant recipients", {}),
    ],
)
def test_recipients_of_a_transplant_are_a_use(draft, words, uses, letters):
    one, lexicon = draft(f"Pediatric {words} 4 mg", words)
    assert restated(one, Uses.of(uses, letters), lexicon).target.words == words


def test_how_long_treatment_goes_on_says_nothing_of_whom():
    assert says_nothing("Until disease progression or unacceptable toxicity")
    assert not says_nothing("after disease progression")
