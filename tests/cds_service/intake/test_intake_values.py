from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cds_service.intake.fhir.concepts import code_words, codes_of, words_of
from cds_service.intake.fhir.values import choice, day, first_day, instant, items, number, text
from ontology.model.identifiers import Code

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.decimals() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["coding", "text", "code", "system", "display", "concept", "reference", "value"]) | st.text(max_size=5), inner, max_size=4
        )
    ),
    max_leaves=20,
)


@given(ANY)
def test_readers_of_values_take_anything(value: Any) -> None:
    for read in (text, number, day, instant, items, codes_of, words_of, code_words):
        read(value)


@pytest.mark.parametrize(("value", "read"), [(19, "19"), (Decimal("1.50"), "1.50"), ("2.5", "2.5"), (Decimal("1.2E+2"), "120"), (0, "0"), ("-1", "-1")])
def test_numbers(value: Any, read: str) -> None:
    assert f"{number(value):f}" == read


@pytest.mark.parametrize("value", [True, None, "x", Decimal("NaN"), Decimal("Infinity"), Decimal("1E+400"), Decimal("1E-400"), 10**40, [1], "1" * 5000])
def test_what_is_no_clinical_number_is_none(value: Any) -> None:
    assert number(value) is None


@pytest.mark.parametrize(
    ("value", "read"),
    [("2026-02-28", date(2026, 2, 28)), ("2026-02-28T23:30:00-05:00", date(2026, 2, 28)), ("2026-02", None), ("2026-02-30", None), (2026, None)],
)
def test_days(value: Any, read: date | None) -> None:
    assert day(value) == read


def test_the_first_readable_day_of_dates_and_periods() -> None:
    assert first_day({"authoredOn": "2026", "effectivePeriod": {"end": "2026-03-01"}}, "authoredOn", "effectivePeriod") == date(2026, 3, 1)


def test_codes_get_the_ontologys_system_names() -> None:
    concept = {
        "coding": [
            {"system": "http://www.nlm.nih.gov/research/umls/rxnorm/", "code": "11289"},
            {"system": "urn:oid:2.16.840.1.113883.6.96", "code": 49436004},
            {"system": "http://local", "code": "x", "display": "Local word"},
            {"code": "no system"},
        ]
    }
    assert codes_of(concept) == (Code("rxnorm", "11289"), Code("snomed", "49436004"), Code("http://local", "x"))
    assert words_of(concept) == "Local word"


@pytest.mark.parametrize(
    "value",
    [
        {"concept": {"text": "Asthma"}},
        "Asthma",
        {"coding": [{"display": "Asthma"}]},
        {"coding": {"display": "Asthma"}},
        {"system": "s", "code": "c", "display": "Asthma"},
    ],
)
def test_words_of_every_kind_of_concept(value: Any) -> None:
    assert words_of(value) == "Asthma"


def test_status_codes_come_as_concepts_and_as_strings() -> None:
    assert code_words("active") == ("active",)
    assert code_words({"coding": [{"code": "active"}, {"code": "recurrence"}]}) == ("active", "recurrence")


def test_a_choice_element_is_found_by_its_type_and_not_by_a_longer_name() -> None:
    assert choice({"valueSet": 1, "valueQuantity": {"value": 2}}, "value") in (1, {"value": 2})
    assert choice({"valued": 1}, "value") is None


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("  war\u200bfarin\n5 mg ", "warfarin 5 mg"),
        ("ibu\u00adprofen", "ibuprofen"),
        ("\u202ewarfarin\u202c", "warfarin"),
        ("\u0000", None),
        ("消渴丸\u3000", "消渴丸"),
    ],
)
def test_invisible_characters_do_not_make_another_name(value: str, read: str | None) -> None:
    assert text(value) == read


@given(st.text(alphabet=" a", max_size=6) | st.text(alphabet=" ab\t\u00a0\u3000\u200b\u00ad\n", max_size=12))
def test_a_text_has_single_spaces_whatever_spaces_and_signs_it_came_with(value: str) -> None:
    read = text(value)
    assert read == (" ".join(value.replace("\u200b", "").replace("\u00ad", "").split()) or None)
