"""Advice for special populations: what is asked for, of whom, and what restricts it."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.populations.book import population_book
from kb_builder.propose.populations.guards import guard_for
from kb_builder.propose.populations.proposer import PopulationProposer
from kb_builder.publish.conditions import conditions_of
from ontology.model.advice import Action
from ontology.model.claims import Basis, Strength
from ontology.model.facts import Axis
from ontology.model.guards import Category, Interval, leaves
from ontology.model.spans import SpanRole

PLR = "8 USE IN SPECIFIC POPULATIONS "


def claims(made):
    return [p.claim for p in PopulationProposer().propose(made.document, made.subject, made.lexicon)]


def said(made):
    """(population, action) of every claim."""
    return {(c.object.code, "+".join(s.action.value for s in c.payload.steps)) for c in claims(made)}


def guards(made, axis, action=None):
    """The disjuncts of the guards of the claims about a population, each as a set of axis and words or bounds."""
    out = set()
    for claim in claims(made):
        if claim.object.code == axis and (action is None or claim.payload.strictest.value == action):
            for disjunct in conditions_of(claim.guard, str):
                out.add(frozenset((c["axis"], str(c.get("value") or f"{c.get('low')}..{c.get('high')}")) for c in disjunct))
    return out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8.1 Pregnancy Risk Summary ZOCOR can cause fetal harm when given to a pregnant woman.", {("pregnancy", "avoid")}),
        ("8.1 Pregnancy Risk Summary ZOCOR may cause fetal harm when given to a pregnant woman.", {("pregnancy", "caution")}),
        (
            "8.1 Pregnancy ZOCOR should be used during pregnancy only if the potential benefit justifies the potential risk to the fetus.",
            {("pregnancy", "caution")},
        ),
        ("8.1 Pregnancy There are no adequate studies in pregnant women.", {("pregnancy", "not-studied")}),
        ("8.1 Pregnancy There are no human or animal data to assess ZOCOR during pregnancy.", {("pregnancy", "not-studied")}),
        ("8.1 Pregnancy Discontinue ZOCOR as soon as pregnancy is recognized.", {("pregnancy", "stop")}),
        ("8.2 Lactation Risk Summary Advise women not to breastfeed during treatment with ZOCOR.", {("lactation", "not-recommended")}),
        ("8.2 Lactation There are no data on the presence of ZOCOR in human milk.", {("lactation", "not-studied")}),
        ("8.3 Nursing Mothers A decision should be made whether to discontinue nursing or to discontinue the drug.", {("lactation", "not-recommended")}),
        ("8.3 Nursing Mothers Caution should be exercised when ZOCOR is given to a nursing woman.", {("lactation", "caution")}),
        ("8.4 Pediatric Use Safety and effectiveness in pediatric patients have not been established.", {("pediatric", "not-studied")}),
        ("8.5 Geriatric Use No overall differences in safety were observed between these and younger patients.", {("geriatric", "no-adjustment")}),
        ("8.5 Geriatric Use Studies did not include sufficient numbers of subjects aged 65 and over.", {("geriatric", "not-studied")}),
        ("8.5 Geriatric Use Dose selection for an elderly patient should be cautious.", {("geriatric", "caution")}),
        ("8.6 Renal Impairment Reduce the dose of ZOCOR in patients with renal impairment.", {("renal", "adjust-dose")}),
        ("8.6 Renal Impairment No dosage adjustment is needed in patients with renal impairment.", {("renal", "no-adjustment")}),
        ("8.6 Renal Impairment Dosage adjustment is also not necessary in patients with renal impairment.", {("renal", "no-adjustment")}),
        ("8.6 Renal Impairment No dose adjustment recommendations can be made for patients with renal impairment.", {("renal", "no-recommendation")}),
        ("8.7 Hepatic Impairment ZOCOR is not recommended in patients with hepatic impairment.", {("hepatic", "not-recommended")}),
        ("8.7 Hepatic Impairment The effect of hepatic impairment on ZOCOR is unknown.", {("hepatic", "not-studied")}),
    ],
)
def test_what_the_label_asks_for(label, text, expected):
    assert said(label(PLR + text, "use_in_specific_populations")) == expected


def test_reproduction_names_the_sex_that_it_speaks_to(label):
    made = label(
        PLR
        + "8.3 Females and Males of Reproductive Potential Pregnancy Testing Verify the pregnancy status of females of reproductive potential before ZOCOR. "
        "Contraception Females Advise females of reproductive potential to use effective contraception. "
        "Males Advise males with female partners of reproductive potential to use effective contraception.",
        "use_in_specific_populations",
    )
    assert {(c.payload.strictest, str(c.guard.values[0])) for c in claims(made) if c.object.code == "reproductive"} == {
        (Action.MONITOR, "female"),
        (Action.CAUTION, "female"),
        (Action.CAUTION, "male"),
    }


def test_what_little_is_known_yields_to_an_instruction(label):
    made = label("8.1 Pregnancy There are no adequate studies in pregnant women. ZOCOR should not be used during pregnancy.", "pregnancy")
    assert said(made) == {("pregnancy", "avoid")}


def test_studies_and_registries_are_no_advice(label):
    made = label(
        PLR + "8.1 Pregnancy Pregnancy Exposure Registry Monitor outcomes in women exposed during pregnancy. Data Human Data Women were monitored closely. "
        "8.4 Pediatric Use Avoid doses given to juvenile rats.",
        "use_in_specific_populations",
    )
    assert said(made) == set()


def test_a_risk_that_animals_show_is_marked(label):
    (claim,) = claims(label("8.1 Pregnancy Based on findings in animals, ZOCOR may cause fetal harm.", "pregnancy"))
    assert claim.basis is Basis.ANIMAL


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Based on findings in animals, ZOCOR can cause fetal harm when administered to a pregnant woman.", "avoid"),
        ("ZOCOR can cause fetal harm when administered to a pregnant woman based on findings from animal studies.", "avoid"),
        ("Based on animal studies, ZOCOR is not recommended in pregnant women.", "not-recommended"),
        ("Because animal studies are not always predictive, ZOCOR should not be used in pregnant women.", "avoid"),
        ("Avoid use of ZOCOR in pregnant women due to effects on the heart observed in neonatal dogs.", "avoid"),
    ],
)
def test_what_a_label_concludes_from_animals_for_patients_is_its_own_statement(label, text, action):
    (claim,) = claims(label(f"5.7 Embryo-Fetal Toxicity {text}", "warnings_and_cautions"))
    assert (claim.payload.strictest.value, claim.basis) == (action, Basis.ESTABLISHED)


def test_no_recommended_dose_is_a_use_that_is_not_recommended(label):
    (claim,) = claims(
        label(
            "8.6 Renal Impairment There is no recommended dose for patients whose creatinine clearance is less than 45 mL/min.", "use_in_specific_populations"
        )
    )
    assert (claim.payload.strictest.value, claim.strength) == ("not-recommended", Strength.SHOULD)
    assert [(leaf.axis, leaf.high) for leaf in leaves(claim.guard)] == [(Axis.CRCL, 45)]


def test_what_is_not_recommended_in_animals_is_no_advice(label):
    assert claims(label("8.1 Pregnancy ZOCOR is not recommended in pregnant animals, based on old studies.", "pregnancy")) == []


@pytest.mark.parametrize(
    ("text", "axis", "expected"),
    [
        ("Reduce the dose in patients with severe renal impairment (CrCl < 30 mL/min).", "renal", {frozenset({("crcl", "None..30")})}),
        (
            "No dose adjustment is needed in patients with mild or moderate hepatic impairment (Child-Pugh A or B).",
            "hepatic",
            {
                frozenset({("hepatic", "mild hepatic impairment"), ("child-pugh", "A")}),
                frozenset({("hepatic", "moderate hepatic impairment"), ("child-pugh", "B")}),
            },
        ),
        (
            "Do not use ZOCOR in patients with severe hepatic impairment (Child-Pugh score of 10 or greater).",
            "hepatic",
            {frozenset({("hepatic", "severe hepatic impairment"), ("child-pugh", "C")})},
        ),
        ("Dosage should be reduced in patients with impaired renal function.", "renal", {frozenset()}),
        ("Use with caution in patients with severe renal impairment who take warfarin.", "renal", {frozenset({("renal", "severe or esrd renal impairment"), ("comedication", "Ingredient:pharmgraph:warfarin")})}),
        ("In elderly patients and patients with hepatic impairment, reduce the dose.", "hepatic", {frozenset()}),
        ("In elderly patients and patients with severe hepatic impairment, reduce the dose.", "geriatric", {frozenset()}),
        ("Reduce the dose in patients with severe renal impairment, and in patients with moderate hepatic impairment.", "renal", {frozenset({("renal", "severe or esrd renal impairment")})}),
        ("ZOCOR has not been studied in pediatric patients with severe renal impairment.", "pediatric", {frozenset({("renal", "severe or esrd renal impairment")})}),
        ("The use of ZOCOR is not recommended in pediatric patients below 6 years of age.", "pediatric", {frozenset({("age", "None..6")})}),
        ("Avoid use in patients who are CYP2C19 poor metabolizers.", "genotype", {frozenset({("genotype", "CYP2C19 poor metabolizer")})}),
        ("ZOCOR should be discontinued at least 2 weeks before the expected delivery date in pregnant women.", "pregnancy", {frozenset({("pregnancy", "2 weeks before the expected delivery date third trimester"), ("other", "2 weeks before the expected delivery date")})}),
    ],
)  # fmt: skip
def test_guards(label, text, axis, expected):
    assert guards(label(text, "dosage_and_administration"), axis) == expected


def test_what_another_population_of_the_list_must_have_is_no_condition_of_this_one():
    text = "in severe hepatic impairment, and patients with a filtration rate below 30 mL/minute"
    severe = Category(Axis.HEPATIC, ("severe",))
    slow = Interval(Axis.EGFR, None, Decimal(30), "mL/min", high_open=True)
    at = text.index("below")
    found = [Restriction(severe, 3, text.index(",")), Restriction(slow, at, len(text))]
    assert [r.guard for r in guard_for("hepatic", text, (0, len(text)), found, ())] == [severe, slow]
    found[1] = Restriction(slow, text.index("a filtration"), len(text))
    assert [r.guard for r in guard_for("hepatic", text, (0, len(text)), found, ())] == [severe]


def test_a_prohibition_beside_a_caution_keeps_its_own_degree(label):
    made = label(
        "ZOCOR should be used with caution in patients with mild hepatic impairment and is contraindicated in patients with severe hepatic impairment.",
        "warnings",
    )
    assert guards(made, "hepatic", "caution") == {frozenset({("hepatic", "mild hepatic impairment")})}
    assert guards(made, "hepatic", "contraindicated") == {frozenset({("hepatic", "severe hepatic impairment")})}


def test_uses_that_children_are_not_studied_for_are_alternatives(label):
    made = label(
        "8.4 Pediatric Use Safety and effectiveness have not been established in pediatric patients for: prevention of colic prevention of croup",
        "pediatric_use",
    )
    assert guards(made, "pediatric") == {frozenset({("other", "prevention of colic")}), frozenset({("other", "prevention of croup")})}


@pytest.mark.parametrize(
    ("full", "without"),
    [
        ("Reduce the dose in patients with severe renal impairment.", "Reduce the dose in patients with renal impairment."),
        ("Reduce the dose in patients with renal impairment taking warfarin.", "Reduce the dose in patients with renal impairment."),
        ("ZOCOR is contraindicated in pregnant women treated with warfarin.", "ZOCOR is contraindicated in pregnant women."),
        ("If given with warfarin, ZOCOR is contraindicated in pregnant women.", "ZOCOR is contraindicated in pregnant women."),
        ("ZOCOR is contraindicated in children under 2 years of age.", "ZOCOR is contraindicated in children."),
        ("Monitor patients with a history of liver disease.", "Monitor patients with liver disease."),
        ("Avoid use in patients with hepatic impairment unless the benefits outweigh the risks.", "Avoid use in patients with hepatic impairment."),
    ],
)
def test_a_condition_that_is_taken_out_changes_the_claim(label, full, without):
    first, second = (claims(label(t, "boxed_warning")) for t in (full, without))
    assert first
    assert second
    assert {c.id for c in first} != {c.id for c in second}
    assert {repr(c.guard) for c in first} != {repr(c.guard) for c in second}


def test_such_patients_are_those_of_the_sentence_before(label):
    made = label("Little is known of patients with severe renal impairment. Avoid use of ZOCOR in these patients.", "warnings")
    assert guards(made, "renal", "avoid") == {frozenset({("renal", "severe or esrd renal impairment")})}


def test_a_list_of_contraindications_gives_each_population_its_own_guard(label):
    made = label(
        "4 CONTRAINDICATIONS ZOCOR is contraindicated in: • Patients with severe renal impairment (CrCl < 30 mL/min) • Pregnancy • Known hypersensitivity",
        "contraindications",
    )
    assert said(made) == {("renal", "contraindicated"), ("pregnancy", "contraindicated")}
    assert guards(made, "renal") == {frozenset({("crcl", "None..30")})}
    assert guards(made, "pregnancy") == {frozenset()}


def test_a_run_on_list_of_contraindications_gives_each_population_its_own_guard(label):
    made = label("ZOCOR is contraindicated in: Patients with severe renal impairment Patients with moderate hepatic impairment", "boxed_warning")
    assert guards(made, "renal") == {frozenset({("renal", "severe or esrd renal impairment")})}
    assert guards(made, "hepatic") == {frozenset({("hepatic", "moderate hepatic impairment")})}


def test_an_item_cites_the_sentence_that_opens_its_list(label):
    made = label("Avoid the use of ZOCOR in the following patients: • Patients with severe renal impairment", "warnings")
    (claim,) = claims(made)
    assert claim.payload.strictest is Action.AVOID
    assert [s.quote for s in claim.evidence if s.role is SpanRole.HEADING] == ["Avoid the use of ZOCOR in the following patients:"]


@pytest.mark.parametrize(
    "text",
    [
        "Monitor closely, because renal failure has occurred with ZOCOR.",
        "Concomitant use of ZOCOR and warfarin is not recommended in patients with renal impairment.",
        "Warfarin is not recommended in patients with renal impairment.",
        "Increased exposure was observed in patients with renal impairment.",
        "Refer to the label of the other drug: avoid use in patients with renal impairment.",
    ],
)
def test_no_advice_on_the_product_for_a_population(label, text):
    assert said(label(text, "warnings")) == set()


def test_infants_exposed_before_birth_are_a_matter_of_pregnancy(label):
    assert said(label("Monitor neonates exposed to ZOCOR during pregnancy for signs of sedation.", "warnings")) == {("pregnancy", "monitor")}


def test_the_full_text_wins_over_the_highlights(label):
    made = label(
        PLR
        + "Renal Impairment: Reduce the dose in patients with renal impairment ( 8.3 ) 8.1 Pregnancy No data. 8.2 Lactation None. 8.3 Renal Impairment Reduce the dose in patients with severe renal impairment.",
        "use_in_specific_populations",
    )
    assert guards(made, "renal") == {frozenset({("renal", "severe or esrd renal impairment")})}


def test_run_in_headings_of_older_labels(label):
    made = label(
        "PRECAUTIONS General: Take care. Pregnancy: Teratogenic Effects: Pregnancy Category C: ZOCOR should be used during pregnancy only if clearly needed. "
        "Nursing Mothers: Caution should be exercised when ZOCOR is given to a nursing woman. Pediatric Use: Safety and effectiveness have not been established.",
        "precautions",
    )
    assert said(made) == {("pregnancy", "caution"), ("lactation", "caution"), ("pediatric", "not-studied")}


def test_every_wording_has_a_reason_and_finds_itself_in_lower_case():
    book = population_book()
    assert len({w.id for w in book.wordings}) == len(book.wordings)
    assert all(w.pattern.search("") is None for w in book.wordings)


WORDS = st.sampled_from(
    ["ZOCOR", "8.1 Pregnancy", "8.6 Renal Impairment", "Data", "Risk Summary", "Nursing Mothers", "can cause fetal harm", "avoid use", "in patients with", "severe renal impairment", "(CrCl < 30 mL/min)", "or", "and", "hepatic impairment",
     "(Child-Pugh A or B)", "children under 2 years", "elderly", "not been established", "no dose adjustment is needed", "such patients", "is contraindicated in:", "•", ":", ".", ";", "( 8.6 )", "poor metabolizers", "before delivery",
     "females of reproductive potential", "contraception", "\n", "\u2029", "®", "ﬁ"]
)  # fmt: skip
TEXTS = st.lists(WORDS | st.text(max_size=6), max_size=30).map(" ".join)
KEYS = st.sampled_from(
    ["use_in_specific_populations", "pregnancy", "pediatric_use", "contraindications", "warnings", "dosage_and_administration", "boxed_warning"]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, KEYS)
def test_never_raises_and_quotes_verbatim(label, text, key):
    made = label(text, key)
    for claim in claims(made):
        for span in claim.evidence:
            assert made.document.section(span.section).text[span.start : span.end] == span.quote


@pytest.mark.parametrize(
    ("text", "parameter", "basis"),
    [
        ("8.6 Renal Impairment No adjustment of the starting dose of ZOCOR is needed in patients with renal impairment.", "starting dose", Basis.ESTABLISHED),
        ("8.7 Hepatic Impairment It is not necessary to modify the ZOCOR loading dose in hepatic impairment.", "loading dose", Basis.ESTABLISHED),
        ("8.6 Renal Impairment No dose adjustment is needed in patients with renal impairment; the starting dose is 5 mg.", None, Basis.ESTABLISHED),
        ("8.1 Pregnancy ZOCOR should not be discontinued during pregnancy.", "treatment goes on", Basis.ESTABLISHED),
        ("8.5 Geriatric Use No overall differences in safety were seen between elderly and younger patients.", None, Basis.REPORTED),
    ],
)
def test_what_stays_is_named_where_it_is_not_every_dose_and_what_was_not_seen_is_a_report(label, text, parameter, basis):
    stays = [c for c in claims(label(PLR + text, "use_in_specific_populations")) if c.payload.strictest is Action.NO_ADJUSTMENT]
    assert {(c.payload.steps[0].parameter, c.basis) for c in stays} == {(parameter, basis)}


def test_changes_that_were_seen_are_no_change_of_dose():
    text = "8.2 Lactation Because of changes in the blood of the child, advise patients that breastfeeding is not recommended."
    assert not any(w.id == "no-adjustment" and w.pattern.search(text.lower()) for w in population_book().wordings)
