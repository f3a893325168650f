"""Conditions of dosing prose: every axis is read, every phrase matters, and its place holds its numbers."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.propose.conditions.reader import axis_of_header, read_conditions, read_label_conditions
from kb_builder.propose.reading.things import ThingFinder
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Exposure, HasCondition, Interval, Not, Opaque, leaves
from ontology.model.quantities import plain
from ontology.terms.identity import IngredientRef
from ontology.text.document import Document, DocumentVersion, ProductInfo, SubstanceInfo
from ontology.text.offsets import fold

from .conftest import SmallVocabulary

PHRASES = [
    "in adults",
    "in pediatric patients",
    "in pediatric patients 6 years of age and older",
    "in adolescents",
    "in the elderly",
    "in neonates",
    "in infants less than 6 months of age",
    "in patients 65 years of age and older",
    "in patients aged 12 to 17 years",
    "in children 6 months to <2 years of age",
    "in neonates with a gestational age of less than 32 weeks",
    "in neonates with a postnatal age of at least 7 days",
    "in neonates in the first week of life",
    "in patients weighing 30 kg or more",
    "in patients weighing more than 60 kg to 80 kg",
    "in patients with a body surface area less than 1.5 m2",
    "in patients with a body mass index of 30 kg/m2 or greater",
    "in women",
    "in females of reproductive potential",
    "in Asian patients",
    "in patients of Han Chinese ancestry",
    "in patients with CrCl 30 to 50 mL/min",
    "in patients with a creatinine clearance below 30 mL/min",
    "in patients with eGFR less than 45 mL/min/1.73 m2",
    "in patients with a serum creatinine of at least 2 mg/dL",
    "in patients with mild renal impairment",
    "in patients with severe renal impairment (CrCl <30 mL/min)",
    "in patients with moderate or severe hepatic or renal impairment",
    "in patients with significantly reduced renal function",
    "in patients with ESRD",
    "in patients on hemodialysis",
    "in patients not on dialysis",
    "in patients receiving continuous renal replacement therapy",
    "in patients with mild hepatic impairment (Child-Pugh A)",
    "in patients with a Child-Pugh score of 10 or greater",
    "in patients with Child-Pugh class B or C",
    "in pregnant women",
    "during the third trimester of pregnancy",
    "in nursing mothers",
    "in CYP2C19 poor metabolizers",
    "in patients who are HLA-B*58:01 positive",
    "in patients with partial DPD deficiency",
    "in patients with CYP2C9 *1/*3",
    "in CYP2D6 EMs and IMs",
    "if a strong CYP3A4 inhibitor must be coadministered",
    "in patients with G6PD deficiency",
    "in patients with TPMT or NUDT15 deficiency",
    "in patients taking verapamil",
    "in patients taking strong CYP3A4 inhibitors other than ketoconazole",
    "in combination with digoxin and verapamil",
    "when coadministered with amiodarone, verapamil, or digoxin",
    "in patients receiving furosemide (> 80 mg IV)",
    "in patients not taking amiodarone",
    "when used in combination with encorafenib",
    "in patients who have previously taken 80 mg of ZOCOR daily",
    "in patients with heart failure",
    "in patients with a history of angioedema",
    "in patients with recent myocardial infarction",
    "in patients without hepatic impairment",
    "in patients with ALT > 3 times the upper limit of normal",
    "in patients with an ANC below 1,000/mm3",
    "in patients with platelets < 50 x 10 9 /L",
    "in patients with INR > 4",
    "in patients with NYHA Class IV symptoms",
    "in patients who are treatment-naive",
    "if the patient cannot swallow",
    "except in patients with severe renal impairment",
    "unless the patient has severe renal impairment",
    "in patients in whom potassium cannot be measured",
    "in debilitated patients",
    "when used as monotherapy",
    "in adults with CrCl <30 mL/min taking verapamil",
]


@pytest.fixture(scope="module")
def read(lexicon):
    """The conditions of a text, as a sentence or as a label."""
    drug = SmallVocabulary().lookup("simvastatin")[0]
    product = ProductInfo("simvastatin", (SubstanceInfo("simvastatin"),), ("ZOCOR",), routes=("oral",), form="tablet")
    document = Document("set-1", DocumentVersion("1", None, "0" * 64), "ZOCOR", "openfda", "en", (), (product,))
    finder = ThingFinder(lexicon, document, (drug,), (IngredientRef(drug, "simvastatin"),))

    def conditions(text, *, label=False, hint=None):
        shadow = fold(text)
        things = finder.find(shadow, shadow.text)
        if label:
            return read_label_conditions(shadow.text, 0, len(shadow.text), things, lexicon, hint)
        return read_conditions(shadow.text, 0, len(shadow.text), things, lexicon)

    return conditions


def guards(found):
    return [r.guard for r in found]


def drug(name):
    return SmallVocabulary().lookup(name)[0]


@pytest.mark.parametrize("phrase", PHRASES)
def test_what_a_phrase_asks_for_is_gone_without_it(read, phrase):
    assert guards(read(f"Take ZOCOR 10 mg once daily {phrase}."))
    assert guards(read("Take ZOCOR 10 mg once daily.")) == []


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_before_the_dose_is_read_as_behind_it(read, phrase):
    before = guards(read(f"{phrase[0].upper()}{phrase[1:]}, take ZOCOR 10 mg once daily."))
    assert [g for g in before if not isinstance(g, Opaque)] == [g for g in guards(read(f"Take ZOCOR 10 mg once daily {phrase}.")) if not isinstance(g, Opaque)]


@pytest.mark.parametrize("phrase", PHRASES)
def test_the_numbers_of_a_guard_stand_in_its_place(read, phrase):
    text = fold(f"Take ZOCOR 10 mg once daily {phrase}.").text
    for restriction in read(text):
        words = text[restriction.start : restriction.end].replace(",", "")
        for leaf in leaves(restriction.guard):
            if isinstance(leaf, Interval) and leaf.term is None:
                printed = {plain(n) for n in (leaf.low, leaf.high) if n is not None}
                assert printed <= set(re.findall(r"\d+(?:\.\d+)?", words))


def test_two_dimensions_must_both_hold_and_a_list_is_any_of_its_members(read):
    found = guards(read("Take 10 mg in adults with severe renal impairment or ESRD on hemodialysis."))
    ill = AllOf((Category(Axis.RENAL, ("esrd",)), Category(Axis.DIALYSIS, ("hemodialysis",))))
    assert [type(g) for g in found] == [Interval, AnyOf]
    assert found[1] == AnyOf((Category(Axis.RENAL, ("severe", "esrd")), ill))


def test_clauses_of_who_in_a_list_that_ends_in_or_are_alternatives(read):
    """One group of patients a clause; the ceiling holds for each of them."""
    text = "The maximum is 20 mg in patients who are older than 60 years, who have hepatic impairment, or who take verapamil."
    (found,) = read(text)
    assert isinstance(found.guard, AnyOf)
    assert len(found.guard.parts) == 3


def test_clauses_of_who_joined_by_and_hold_together(read):
    found = read("The maximum is 20 mg in patients who are older than 60 years and who take verapamil.")
    assert not any(isinstance(r.guard, AnyOf) for r in found)


def test_each_group_of_a_list_of_patients_is_enough(read):
    text = "The maximum dose for patients who are greater than 60 years of age, patients with hepatic impairment, and for CYP2C19 poor metabolizers is 20 mg."
    (guard,) = guards(read(text))
    assert isinstance(guard, AnyOf)
    assert [type(p) for p in guard.parts] == [Interval, Category, Category]


def test_a_number_in_brackets_takes_the_place_of_the_word_that_it_defines(read):
    (guard,) = guards(read("Take 5 mg in patients with moderate (CrCl 30 to 59 mL/min) or severe (CrCl 15 to 29 mL/min) renal impairment."))
    assert isinstance(guard, AnyOf)
    assert [(plain(p.low), plain(p.high)) for p in guard.parts] == [("30", "59"), ("15", "29")]


def test_child_pugh_classes_stand_beside_the_grades_that_they_define(read):
    (guard,) = guards(read("Take 5 mg in patients with mild or moderate hepatic impairment (Child-Pugh A or B)."))
    grade = [AllOf((Category(Axis.HEPATIC, (g,)), Category(Axis.CHILD_PUGH, (c,)))) for g, c in (("mild", "A"), ("moderate", "B"))]
    assert guard == AnyOf(tuple(grade))


def test_a_printed_age_takes_the_place_of_the_word_beside_it(read):
    (guard,) = guards(read("Take 5 mg in pediatric patients 6 years of age and older."))
    assert (plain(guard.low), plain(guard.high), guard.high_open, guard.term) == ("6", "18", True, "pediatric patients")
    (guard,) = guards(read("Take 5 mg in neonates (up to 14 days of age)."))
    assert (guard.low, plain(guard.high), guard.unit, guard.term) == (None, "14", "d", None)


def test_a_range_over_two_units_takes_the_place_of_the_word_whole(read):
    (guard,) = guards(read("Take 5 mg in infants (1 month to 2 years of age)."))
    assert isinstance(guard, AllOf)
    assert [(g.unit, g.term) for g in guard.parts] == [("mo", None), ("a", None)]


def test_adults_below_an_age_are_adults_still(read):
    (guard,) = guards(read("Take 5 mg in adults less than 65 years of age."))
    assert (plain(guard.low), plain(guard.high), guard.high_open) == ("18", "65", True)


def test_less_severe_is_not_severe(read):
    (guard,) = guards(read("Take 5 mg in patients with less severe renal disease."))
    assert Opaque("less severe renal disease") in leaves(guard)
    assert Category(Axis.RENAL, ("severe", "esrd")) not in leaves(guard)


def test_a_group_in_brackets_is_whole(read):
    assert read("Starting dose (adults and pediatric patients): 150 mg once daily.") == []


def test_ages_that_meet_are_one_and_all_ages_are_no_condition(read):
    (guard,) = guards(read("Take 5 mg in adults and pediatric patients 10 years of age and older."))
    assert (plain(guard.low), guard.high) == ("10", None)
    assert read("Take 5 mg in adults and children.") == []
    assert read("Take 5 mg in men and women.") == []


@pytest.mark.parametrize("words", ["patients (adults and pediatric patients 6 years and older)", "(adults and children 6 years and older)"])
def test_a_bracket_that_is_all_of_a_heading_is_read_as_its_list(read, words):
    (guard,) = guards(read(words, label=True))
    assert isinstance(guard, Interval)
    assert (guard.low, guard.high) == (6, None)


def test_the_size_behind_a_list_of_young_people_is_of_each(read):
    (guard,) = guards(read("children and adolescents up to 70 kg", label=True))
    assert isinstance(guard, AnyOf)
    assert all(any(isinstance(leaf, Interval) and leaf.axis is Axis.WEIGHT for leaf in leaves(part)) for part in guard.parts)


def test_the_size_of_children_is_not_of_the_adults_beside_them(read):
    (guard,) = guards(read("adults and pediatric patients up to 70 kg", label=True))
    assert isinstance(guard, AnyOf)
    assert [leaf.axis for leaf in leaves(guard.parts[0])] == [Axis.AGE]


def test_a_word_beside_one_of_two_groups_narrows_that_group_alone(read):
    (guard,) = guards(read("pediatric and young adult patients", label=True))
    assert isinstance(guard, AnyOf)
    assert [len(leaves(part)) for part in guard.parts] == [1, 2]


def test_what_stands_before_a_colon_holds_for_all_behind_it(read):
    found = guards(read("pediatric patients: monotherapy or with warfarin", label=True))
    assert isinstance(found[0], Interval)
    assert found[0].axis is Axis.AGE
    assert isinstance(found[1], AnyOf)


def test_a_clause_behind_a_list_holds_for_all_of_it(read):
    found = guards(read("women or men when used with warfarin", label=True))
    assert isinstance(found[-1], Exposure)


def test_a_weight_in_pounds_too_is_one_weight(read):
    (guard,) = guards(read("10 kg (22 lbs) to less than 15 kg (33 lbs)", label=True))
    assert isinstance(guard, Interval)
    assert (guard.low, guard.high, guard.high_open) == (10, 15, True)


def test_with_or_without_restricts_nothing(read):
    assert read("Take 5 mg with or without food.") == []
    assert read("Take 5 mg in patients with or without renal impairment.") == []
    assert read("Take 5 mg with or without digoxin.") == []


def test_a_class_keeps_what_it_leaves_out(read):
    (guard,) = guards(read("Take 5 mg in patients taking strong CYP3A4 inhibitors other than ketoconazole."))
    assert guard == Exposure(drug("strong CYP3A4 inhibitor"), minus=(drug("ketoconazole"),))


def test_lists_of_partners_follow_their_conjunction(read):
    parts = (Exposure(drug("verapamil")), Exposure(drug("digoxin")))
    assert guards(read("Take 5 mg in combination with verapamil and digoxin.")) == [AllOf(parts)]
    assert guards(read("Take 5 mg in combination with verapamil or digoxin.")) == [AnyOf(parts)]
    assert guards(read("Take 5 mg in patients not taking verapamil.")) == [Not(parts[0])]


def test_a_partner_on_no_list_is_named_by_the_labels_words(read):
    (found,) = read("Take 5 mg in combination with encorafenib.")
    assert isinstance(found.guard, Exposure)
    assert [(e.id, e.name) for e in found.entities] == [(found.guard.target, "encorafenib")]


def test_examples_narrow_nothing(read):
    assert guards(read("Take 5 mg in patients with heart failure (e.g., those on digoxin).")) == [HasCondition(drug("heart failure"), "heart failure")]


def test_the_patients_own_earlier_dose_is_theirs(read):
    own, partner = guards(read("Take 40 mg if you have previously taken 80 mg of ZOCOR daily while taking amiodarone."))
    assert (own.target, own.whose.value, own.state.value, plain(own.dose.low), own.dose.per) == (drug("simvastatin"), "subject", "ever", "80", "day")
    assert partner == Exposure(drug("amiodarone"))


def test_an_exception_is_whom_the_rule_spares(read):
    spared = Not(Category(Axis.RENAL, ("severe", "esrd")))
    assert guards(read("Take 10 mg, except in patients with severe renal impairment.")) == [spared]
    assert guards(read("Unless the patient has severe renal impairment, take 10 mg.")) == [spared]
    assert guards(read("Take 10 mg unless a surgeon objects.")) == [Opaque("unless a surgeon objects")]


def test_what_no_axis_holds_stays_in_its_words(read):
    assert guards(read("Take 5 mg in patients with unstable gait or heart failure.")) == [
        AnyOf((Opaque("unstable gait"), HasCondition(drug("heart failure"), "heart failure")))
    ]
    assert Opaque("bleeding tendencies") in guards(read("Take 5 mg in patients with severe renal impairment who have bleeding tendencies."))


@pytest.mark.parametrize("clause", ["If needed, ", "As tolerated, if necessary, ", "When given with food, ", "If tolerated, "])
def test_a_step_left_to_the_prescriber_is_no_condition(read, clause):
    assert read(f"{clause}increase the dose to 20 mg.") == []


@pytest.mark.parametrize(
    "text",
    [
        "Renal failure was reported in studies.",
        "Overdose may result in renal failure.",
        "Treatment of renal impairment was not studied.",
        "Take 5 mg in those who need a supplement after hemodialysis.",
        "Take 5 mg in those with a negative pregnancy test.",
    ],
)
def test_what_is_told_of_an_organ_is_no_condition(read, text):
    assert not [g for g in guards(read(text)) if isinstance(g, Category)]


@pytest.mark.parametrize(
    ("header", "axis"),
    [
        ("Creatinine Clearance (mL/min)", Axis.CRCL),
        ("Creatinine Clearance (mL/min/1.73 m2)", Axis.CRCL_INDEXED),
        ("eGFR", Axis.EGFR),
        ("Serum Creatinine (mg %)", Axis.SCR),
        ("Body weight (kg)", Axis.WEIGHT),
        ("Age", Axis.AGE),
        ("BSA", Axis.BSA),
        ("Child-Pugh", Axis.CHILD_PUGH),
        ("Dosage", None),
    ],
)
def test_the_axis_of_a_header(header, axis):
    assert axis_of_header(header) is axis


@pytest.mark.parametrize(
    ("words", "low", "high"),
    [
        ("Children and adolescents (10 to 17 years)", "10", "17"),
        ("adolescents and children aged 6 to 17 years", "6", "17"),
        ("children 6 to 12 years and adolescents", "6", "18"),
    ],
)
def test_a_printed_age_behind_a_list_of_children_says_who_all_of_them_are(read, words, low, high):
    (guard,) = guards(read(words, label=True))
    assert (guard.axis, plain(guard.low), plain(guard.high)) == (Axis.AGE, low, high)


def test_a_cell_is_a_condition_whole(read):
    assert guards(read("Verapamil", label=True)) == [Exposure(drug("verapamil"))]
    assert guards(read("On dialysis", label=True)) == [Category(Axis.DIALYSIS, ("yes",))]
    assert guards(read("Unable to swallow", label=True)) == [Opaque("Unable to swallow")]
    (guard,) = guards(read("10 to 20", label=True, hint=Axis.CRCL))
    assert (guard.axis, plain(guard.low), plain(guard.high)) == (Axis.CRCL, "10", "20")
    (guard,) = guards(read("6-12 years", label=True))
    assert guard.axis is Axis.AGE


@given(st.lists(st.sampled_from([*" ,.;()", *(w for p in PHRASES for w in p.split())]), max_size=24).map(" ".join))
def test_any_words_are_read_and_places_stand_inside(read, text):
    folded = fold(text).text
    for restriction in (*read(text), *read(text, label=True)):
        assert 0 <= restriction.start < restriction.end <= len(folded)
        assert leaves(restriction.guard)


def test_whom_the_first_of_several_diseases_is_for_holds_for_all_of_them(read):
    found = guards(read("Take 10 mg in adults with hypertension or diabetes mellitus."))
    assert [type(g) for g in found] == [Interval, AnyOf]


def test_an_age_behind_the_first_disease_stays_with_it(read):
    (found,) = guards(read("Take 10 mg in patients with hypertension who are 2 to 9 years of age or with diabetes mellitus."))
    assert isinstance(found, AnyOf)
