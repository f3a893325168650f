from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.model.entities import EntityType
from ontology.model.errors import TerminologyError
from ontology.model.guards import Truth
from ontology.model.identifiers import Code, EntityId
from ontology.terms import concepts, shipped
from ontology.terms.identity import ConceptMatch
from ontology.terms.tables import parse_table, read_table
from ontology.terms.terminology import Terminology

TERMS = Terminology.shipped()


def concept(name: str) -> EntityId:
    (found,) = TERMS.lookup(name, (EntityType.CONDITION,))
    return found


def match(icd10: str | None, text: str | None = None) -> tuple[ConceptMatch, ...]:
    return TERMS.match_conditions([Code("icd10cm", icd10)] if icd10 else [], text)


def truth(label: str, icd10: str | None, text: str | None = None) -> Truth:
    truths = {TERMS.covers(concept(label), m.id) for m in match(icd10, text)}
    return Truth.TRUE if Truth.TRUE in truths else Truth.UNKNOWN if Truth.UNKNOWN in truths else Truth.FALSE


@pytest.mark.parametrize(
    ("label", "icd10", "expected"),
    [
        ("heart failure", "I50.22", Truth.TRUE),
        ("heart failure", "I50", Truth.TRUE),
        ("heart failure", "I10", Truth.FALSE),
        ("pregnancy", "Z3A.14", Truth.TRUE),
        ("pregnancy", "O86.4", Truth.FALSE),
        ("first trimester", "Z3A.09", Truth.TRUE),
        ("first trimester", "Z34.90", Truth.UNKNOWN),
        ("narrow-angle glaucoma", "H40.20X0", Truth.TRUE),
        ("narrow-angle glaucoma", "H40.9", Truth.UNKNOWN),
        ("narrow-angle glaucoma", "H40", Truth.UNKNOWN),
        ("narrow-angle glaucoma", "H40.1110", Truth.FALSE),
        ("active liver disease", "K76.0", Truth.FALSE),
        ("active liver disease", "K76.9", Truth.UNKNOWN),
        ("active liver disease", "B15.9", Truth.TRUE),
        ("decompensated cirrhosis", "K70.31", Truth.TRUE),
        ("decompensated cirrhosis", "K74.60", Truth.UNKNOWN),
        ("severe renal impairment", "N18.4", Truth.TRUE),
        ("severe renal impairment", "N18.6", Truth.TRUE),
        ("severe renal impairment", "N18.9", Truth.UNKNOWN),
        ("severe renal impairment", "N18.31", Truth.FALSE),
        ("severe renal impairment", "N10", Truth.FALSE),
        ("severe uncontrolled hypertension", "I10", Truth.UNKNOWN),
        ("severe uncontrolled hypertension", "I16.1", Truth.TRUE),
        ("second- or third-degree AV block", "I44.1", Truth.TRUE),
        ("second- or third-degree AV block", "I44.0", Truth.FALSE),
        ("systemic fungal infection", "B39.3", Truth.TRUE),
        ("systemic fungal infection", "B35.3", Truth.FALSE),
        ("hereditary angioedema", "T78.3XXA", Truth.FALSE),
        ("idiopathic angioedema", "T78.3XXA", Truth.UNKNOWN),
        ("angioedema", "D84.1", Truth.TRUE),
        ("phenylketonuria", "E70.0", Truth.TRUE),
        ("setting of coronary artery bypass graft surgery", "Z95.1", Truth.UNKNOWN),
        ("status asthmaticus", "J45.902", Truth.TRUE),
        ("asthma", "J45.40", Truth.TRUE),
        ("severe asthma", "J45.909", Truth.UNKNOWN),
        ("severe asthma", "J45.20", Truth.FALSE),
        ("peptic ulcer", "K25.4", Truth.TRUE),
        ("gastrointestinal bleeding", "K25.4", Truth.TRUE),
        ("gastrointestinal bleeding", "K25.9", Truth.FALSE),
        ("metabolic acidosis", "E10.10", Truth.TRUE),
    ],
)
def test_subsumption_goes_one_way(label: str, icd10: str, expected: Truth) -> None:
    assert truth(label, icd10) is expected


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Essential hypertension", "hypertension"),
        ("Deep vein thrombosis of left leg", "deep vein thrombosis"),
        ("Chronic lymphocytic leukemia, bulky disease, starting venetoclax", "chronic lymphocytic leukemia"),
        ("Myasthenia gravis without (acute) exacerbation", "myasthenia gravis"),
        ("14 weeks gestation of pregnancy", "pregnancy"),
        ("Wolff-Parkinson-White syndrome", "WPW"),
        ("妊娠", "pregnancy"),
        ("心衰", "heart failure"),
        ("活动性消化性溃疡", "peptic ulcer"),
        ("高血压病3级（极高危）", "hypertension"),
        ("2型糖尿病伴肾病", "type 2 diabetes mellitus"),
        ("复发性癫痫", "epilepsy"),
        ("CKD3期", "moderate renal impairment"),
    ],
)
def test_words_alone_are_matched(text: str, label: str) -> None:
    (found,) = match(None, text)
    assert (found.id, found.how) == (concept(label), "name")


@pytest.mark.parametrize(
    "text",
    [
        "Family history of cerebral aneurysm (mother)",
        "No diabetes",
        "Risk of seizures",
        "Prevention of nausea from abdominal radiotherapy",
        "Hypertension, ruled out",
        "Renovascular blood pressure of unclear meaning",
        "Pulmonary hypertensive",
        "Burnt Ear",
        "Asthma, resolved",
        "肺栓塞（已排除）",
        "高血压(无)",
        "糖尿病家族史",
        "高血压(父亲)",
        "糖尿病前期",
        "妊娠期糖尿病",
        "消化道出血史",
    ],
)
def test_denied_moved_and_unknown_words_stay_words(text: str) -> None:
    (found,) = match(None, text)
    assert (found.how, found.id.system, found.name) == ("text", "uncoded", text)


def test_a_word_before_the_head_that_changes_it_is_no_match() -> None:
    (found,) = match(None, "Pulmonary hypertension")
    assert found.id == concept("pulmonary hypertension")
    assert truth("hypertension", None, "Portal hypertension") is Truth.FALSE
    assert truth("hypertension", None, "Ocular stress hypertension") is Truth.FALSE


def test_words_make_a_code_more_specific_and_never_say_something_else() -> None:
    assert truth("moderate hepatic impairment", "K74.60", "Cirrhosis of liver, Child-Pugh class B (8 points)") is Truth.TRUE
    assert truth("moderate hepatic impairment", "K74.60", "Cirrhosis of liver, Child-Pugh class C") is Truth.FALSE
    assert truth("moderate hepatic impairment", "K74.60", "Cirrhosis of liver") is Truth.UNKNOWN


@pytest.mark.parametrize("text", ["Systolic heart failure, NYHA class III", "Heart failure (NYHA IV)", "HFrEF; New York Heart Association class III"])
@pytest.mark.parametrize("icd10", ["I50.22", None])
def test_a_class_behind_a_comma_or_in_brackets_grades_the_problem(text: str, icd10: str | None) -> None:
    assert truth("severe heart failure", icd10, text) is Truth.TRUE


def test_a_lower_class_is_no_severe_one() -> None:
    assert truth("severe heart failure", "I50.22", "Systolic heart failure, NYHA class II") is not Truth.TRUE


def test_a_part_of_the_words_adds_no_problem_of_another_kind() -> None:
    assert truth("asthma", "I50.22", "Heart failure, asthma") is Truth.FALSE


def test_a_code_that_says_nothing_leaves_the_problem_to_the_words() -> None:
    assert truth("pheochromocytoma", "D35.01", "Pheochromocytoma of right adrenal gland") is Truth.TRUE
    assert truth("pheochromocytoma", "D35.01", "Adenoma of right adrenal gland") is Truth.FALSE
    assert truth("diabetes mellitus", "Z13.1", "Screening for diabetes mellitus") is Truth.FALSE
    assert truth("severe heart failure", "I50.22", "Heart failure with reduced ejection fraction, NYHA class III") is Truth.TRUE
    assert truth("prolonged QT interval", "R94.31", "Prolonged QT interval on ECG") is Truth.TRUE
    assert truth("pregnancy", "I10", "Pregnancy") is Truth.FALSE


@pytest.mark.parametrize("code", ["XYZ", "I", "", "A" * 100_000, "I10; DROP", "401.9", "1128"])
def test_what_has_not_the_shape_of_a_code_is_no_condition(code: str) -> None:
    assert match(code) == ()


def test_a_code_is_read_in_any_width_and_with_a_national_extension() -> None:
    assert truth("hypertension", "Ｉ10") is Truth.TRUE
    assert truth("hypertension", "I10.x00x002") is Truth.TRUE
    assert truth("type 2 diabetes mellitus", "E11.900") is Truth.TRUE


def test_snomed_codes_are_known_by_url_too() -> None:
    (found,) = TERMS.match_conditions([Code("http://snomed.info/sct", "49436004")], None)
    assert found.id == concept("atrial fibrillation")
    assert found.matched == "snomed:49436004"


def test_equal_words_meet_and_nothing_else_of_them_does() -> None:
    (one,), (other,) = match(None, "Burnt ear"), match(None, "burnt  EAR")
    assert one.id == other.id
    assert TERMS.covers(one.id, other.id) is Truth.TRUE
    assert TERMS.covers(concept("pregnancy"), one.id) is Truth.FALSE
    assert TERMS.ancestors(one.id) == frozenset()


def test_nothing_is_matched_for_nothing() -> None:
    assert match(None, None) == ()
    assert match(None, " - ") == ()
    assert match("I", None) == ()


@given(st.from_regex(r"[A-Z][0-9A-Z]{0,3}(\.[0-9A-Z]{0,4})?", fullmatch=True))
def test_any_code_is_covered_by_what_it_matches(code: str) -> None:
    for found in match(code):
        assert TERMS.covers(found.id, found.id) is Truth.TRUE
        for above in TERMS.ancestors(found.id):
            assert TERMS.covers(above, found.id) is Truth.TRUE


def test_enough_conditions_are_known_in_english_and_chinese_each_with_codes_or_the_reason_for_none() -> None:
    rows = read_table("conditions").rows
    assert len(rows) >= 400
    assert [row["key"] for row in rows if not row["zh"]] == []
    without = [row for row in rows if row["icd10cm"].startswith("none:")]
    assert len(without) <= 160
    assert all(len(row["icd10cm"]) > len("none: x") for row in without)


def test_a_kind_implies_what_it_is_a_kind_of_and_never_the_other_way_round() -> None:
    pairs = [(e.subject, e.object) for e in TERMS.edge_rows() if e.predicate == "is_a" and e.subject.type == EntityType.CONDITION]
    assert len(pairs) >= 300
    for kind, parent in pairs:
        assert TERMS.covers(parent, kind) is Truth.TRUE, (kind, parent)
        assert TERMS.covers(kind, parent) is Truth.UNKNOWN, (kind, parent)


def with_rows(monkeypatch: pytest.MonkeyPatch, key: str, change: Callable[[str], str]) -> None:
    """Compiles the shipped tables with one of them changed."""
    monkeypatch.setattr(shipped, "read_table", lambda k: parse_table(k, change(read_table(k).text)) if k == key else read_table(k))
    shipped.shipped_data.__wrapped__()


def test_a_condition_without_a_code_and_without_a_reason_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TerminologyError, match=r"conditions\.tsv, line \d+: no ICD-10-CM range"):
        with_rows(monkeypatch, "conditions", lambda text: text + "odd\todd state\t\t\t\t\t\tFDA-label\n")


def test_a_hierarchy_that_runs_in_a_circle_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "a\tstate a\tnone: x\t\t\t\tb\tFDA-label\nb\tstate b\tnone: x\t\t\t\tc\tFDA-label\nc\tstate c\tnone: x\t\t\t\ta\tFDA-label\n"
    with pytest.raises(
        TerminologyError, match=r"in a circle: .*pharmgraph:a is a kind of .*pharmgraph:b is a kind of .*pharmgraph:c is a kind of .*pharmgraph:a"
    ):
        with_rows(monkeypatch, "conditions", lambda text: text + rows)
    with pytest.raises(TerminologyError, match="in a circle"):
        with_rows(monkeypatch, "conditions", lambda text: text + "a\tstate a\tnone: x\t\t\t\ta\tFDA-label\n")


def test_a_bare_code_has_the_same_ancestors_however_many_were_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concepts, "_MOST_CODES", 3)
    codes = [EntityId("Condition", "icd10cm", code) for code in ("I50.22", "H40.20X0", "K70.31", "I16.1", "N18.6", "I50.22", "I50.22")]
    fresh = [Terminology.shipped().ancestors(code) for code in codes]
    assert [TERMS.ancestors(code) for code in codes] == fresh
    assert concept("heart failure") in fresh[0]
    assert fresh[0] == fresh[-1] != fresh[1]


def test_a_problem_is_matched_once_and_one_told_at_length_is_not_kept() -> None:
    terms = Terminology.shipped()
    told = "asthma since the move to the house beside the mill, worse in winter, better at the sea"
    assert terms.match_conditions([], "asthma") is terms.match_conditions([], "asthma")
    for codes, text in (([], told), ([Code("urn:site", "x" * 81)], None)):
        assert terms.match_conditions(codes, text) == terms.match_conditions(codes, text)
    assert len(terms._problems) == 1
