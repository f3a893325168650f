import pytest

from ontology.terms.terminology import Terminology

TERMS = Terminology.shipped()


@pytest.mark.parametrize(
    ("text", "route"),
    [("ORAL", "oral"), ("by mouth", "oral"), ("PO", "oral"), ("口服", "oral"), ("RESPIRATORY (INHALATION)", "inhalation"), ("AURICULAR (OTIC)", "otic"), ("IV", "intravenous"),
     ("Intravenous use", "intravenous"), ("Topical Route", None), ("elsewhere", None), (None, None), ("", None)],
)  # fmt: skip
def test_routes(text: str | None, route: str | None) -> None:
    assert TERMS.route(text) == route


@pytest.mark.parametrize(
    ("text", "form"),
    [("TABLET, FILM COATED", "tablet"), ("tablets", "tablet"), ("Extended release oral tablet", "extended-release tablet"), ("TABLET, FILM COATED, EXTENDED RELEASE", "extended-release tablet"),
     ("片剂", "tablet"), ("wan", "pill"), ("pessaries", "vaginal suppository"), ("粉吸入剂", "inhalation powder"), ("sa tab", "extended-release tablet"), ("SOLUTION/ DROPS", "ophthalmic solution"), ("wafer of no kind", None)],
)  # fmt: skip
def test_forms(text: str, form: str | None) -> None:
    assert TERMS.form(text) == form


@pytest.mark.parametrize(
    ("route", "form", "systemic"),
    [("oral", None, True), ("topical", None, False), ("ophthalmic", "ophthalmic solution", False), ("otic", None, False), ("nasal", None, False), (None, "tablet", True), (None, "cream", False),
     ("transdermal", "patch", True), ("intravenous", None, True), ("vaginal", None, None), (None, None, None), ("no route", "no form", None)],
)  # fmt: skip
def test_only_known_ways_decide_whether_a_drug_acts_on_the_whole_body(route: str | None, form: str | None, systemic: bool | None) -> None:
    assert TERMS.systemic(route, form) is systemic
