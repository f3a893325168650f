"""openFDA bulk files: streamed, exact texts, and one bad record never stops the others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.ingest.openfda import MAX_DEPTH, OpenFdaReader, stream_records
from kb_builder.ingest.openfda_record import RecordRefused, read_record
from kb_builder.ingest.reader import Damaged, Refused
from kb_builder.ingest.sources import BoundedStream, DiskFile
from ontology.model.identifiers import Code
from ontology.text.document import Document, SectionState

Record = dict[str, Any]
Make = Callable[..., Record]


def read(path: Path) -> tuple[list[Document], list[Refused]]:
    found = list(OpenFdaReader().read(DiskFile(path)))
    return [d for d in found if isinstance(d, Document)], [r for r in found if isinstance(r, Refused)]


def read_bytes(tmp_path: Path, data: bytes) -> tuple[list[Document], list[Refused]]:
    path = tmp_path / "a.json"
    path.write_bytes(data)
    return read(path)


# -- one record


def test_a_section_is_its_strings_joined_by_a_newline(record: Make) -> None:
    document, notes = read_record(record())
    section = document.section("drug_interactions")
    assert section is not None
    assert section.text == "7 DRUG INTERACTIONS Avoid aspirin.\n7.1 More. Monitor INR."
    assert section.loinc == "34073-7"
    assert notes == ()


def test_identity_product_and_version_come_from_the_metadata(record: Make) -> None:
    document, _ = read_record(record())
    (product,) = document.products
    assert (document.set_id, document.version.number, document.version.effective) == ("aaaa-1", "3", date(2024, 1, 31))
    assert document.title == "Advil (ibuprofen)"
    assert document.url is not None
    assert document.url.endswith("setid=aaaa-1")
    assert [(s.name, s.unii) for s in product.substances] == [("IBUPROFEN", "WK2XYI10QM")]
    assert {Code("rxnorm", "197805"), Code("ndc", "0000-0001"), Code("setid", "aaaa-1")} <= set(product.codes)
    assert product.routes == ("ORAL",)


def test_metadata_is_kept_as_sections_with_their_text(record: Make) -> None:
    document, _ = read_record(record())
    section = document.section("openfda.pharm_class_epc")
    assert section is not None
    assert section.text == "Nonsteroidal Anti-inflammatory Drug [EPC]"


def test_tables_belong_to_their_section_and_are_no_section(record: Make) -> None:
    document, _ = read_record(record(drug_interactions_table=["<table>1</table>", "<table>2</table>"], how_supplied_table=["<table>3</table>"]))
    section = document.section("drug_interactions")
    alone = document.section("how_supplied")
    assert section is not None
    assert section.tables == ("<table>1</table>", "<table>2</table>")
    assert document.section("drug_interactions_table") is None
    assert alone is not None
    assert (alone.text, alone.state, alone.tables) == ("", SectionState.EMPTY, ("<table>3</table>",))


def test_a_label_without_substances_is_known_by_its_generic_name(record: Make) -> None:
    openfda = {"generic_name": ["ELAGOLIX AND ESTRADIOL, NORETHISTERONE"]}
    document, _ = read_record(record(openfda=openfda))
    assert [s.name for s in document.products[0].substances] == ["ELAGOLIX", "ESTRADIOL", "NORETHISTERONE"]


def test_uniis_that_do_not_pair_with_substances_are_left_out(record: Make) -> None:
    openfda = {"generic_name": ["A AND B"], "substance_name": ["A", "B"], "unii": ["ONLYONE"]}
    document, _ = read_record(record(openfda=openfda))
    assert [s.unii for s in document.products[0].substances] == [None, None]


@pytest.mark.parametrize(
    ("fields", "field", "reason"),
    [
        ({"set_id": None}, "set_id", "without a set id"),
        ({"set_id": 7}, "set_id", "without a set id"),
        ({"set_id": "../../etc"}, "set_id", "is not a set id"),
        ({"indications_and_usage": [""], "contraindications": None, "drug_interactions": [" \n"], "openfda": {}}, None, "is empty"),
    ],
)
def test_a_record_without_identity_or_text_is_refused(record: Make, fields: Record, field: str | None, reason: str) -> None:
    made = record()
    made.update(fields)
    with pytest.raises(RecordRefused, match=reason) as caught:
        read_record({k: v for k, v in made.items() if v is not None})
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        ({"warnings": [1, 2]}, ("warnings", "left out: not a string or a list of strings")),
        ({"warnings": {"a": "b"}}, ("warnings", "left out: not a string or a list of strings")),
        ({"effective_time": "20241331"}, ("effective_time", "'20241331' is not a date YYYYMMDD: the label's date is unknown")),
        ({"version": [1]}, ("version", "'[1]' is not a version number: left out")),
        ({"openfda": []}, ("openfda", "left out: the metadata block is not an object")),
        (
            {"openfda": {"substance_name": [f"S{n}" for n in range(41)]}},
            ("openfda.substance_name", "41 substances in one product, more than 40: composition left out"),
        ),
    ],
)
def test_a_field_that_makes_no_sense_is_left_out_with_a_note(record: Make, fields: Record, note: tuple[str, str]) -> None:
    document, notes = read_record(record(**fields))
    assert (*note, True) in notes
    assert document.section("drug_interactions") is not None


def test_a_label_without_text_lands_with_its_product_and_is_told(record: Make) -> None:
    made = {k: v for k, v in record().items() if k in ("set_id", "id", "openfda")}
    document, notes = read_record({**made, "contraindications": [""], "drug_interactions": [" \n"]})
    assert document.products
    assert {s.state for s in document.sections if not s.key.startswith("openfda.")} == {SectionState.EMPTY}
    assert notes == ((None, f"the label {document.set_id} is empty: no field holds text; only its metadata were read", False),)


def test_a_version_without_number_and_date_is_named_by_its_hash(record: Make) -> None:
    document, _ = read_record(record(version=None, effective_time=None))
    assert document.version.key.startswith("unversioned:")


# -- files


def test_records_of_a_bulk_file_a_list_and_a_single_record(record: Make, tmp_path: Path) -> None:
    one, two = record("a-1"), record("a-2")
    for value, expected in (({"results": [one, two], "meta": {}}, 2), ([one, two], 2), (one, 1)):
        documents, refused = read_bytes(tmp_path, json.dumps(value).encode())
        assert (len(documents), refused) == (expected, [])


def test_bad_records_are_refused_with_their_index_and_the_others_land(record: Make, bulk_file: Callable[..., Path]) -> None:
    deep: Any = "x"
    for _ in range(MAX_DEPTH + 5):
        deep = [deep]
    path = bulk_file([record("a-1"), "text", record("a-2", set_id=None), record("a-3", warnings=deep), record("a-4")])
    documents, refused = read(path)
    assert [d.set_id for d in documents] == ["a-1", "a-4"]
    assert [(r.record, r.field) for r in refused] == [(1, None), (2, "set_id"), (3, None)]
    assert "a record is an object, this is a string" in refused[0].reason
    assert "deeper than" in refused[2].reason
    assert all(r.source == str(path) for r in refused)


def test_ten_thousand_levels_do_no_harm(record: Make, tmp_path: Path) -> None:
    text = json.dumps({"results": [record("a-1"), "HERE", record("a-2")]}).replace('"HERE"', '{"set_id": ' + "[" * 10_000 + "]" * 10_000 + "}")
    documents, refused = read_bytes(tmp_path, text.encode())
    assert [d.set_id for d in documents] == ["a-1", "a-2"]
    assert "deeper than" in refused[0].reason


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "breaks off|is empty"),
        (b"<html>503</html>", "not JSON"),
        (b'"text"', "holds a string"),
        (b"{}", "no record in it"),
        (b'{"error": {"code": "NOT_FOUND"}}', "no record in it"),
        (b'{"results": []}', "no record in it"),
        ('{"results": [{"set_id": "é"}]}'.encode("latin-1"), "not UTF-8"),
        ("{}".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_file_that_is_no_label_file_says_why(tmp_path: Path, data: bytes, reason: str) -> None:
    documents, refused = read_bytes(tmp_path, data)
    assert documents == []
    assert len(refused) == 1
    assert re.search(reason, refused[0].reason), refused[0].reason


def test_a_file_that_breaks_off_keeps_the_records_before(record: Make, tmp_path: Path) -> None:
    text = json.dumps({"results": [record("a-1"), record("a-2"), record("a-3")]})
    documents, refused = read_bytes(tmp_path, text[: text.index("a-3-id")].encode())
    assert [d.set_id for d in documents] == ["a-1", "a-2"]
    assert "the JSON breaks off; the 2 records before it were read" in refused[0].reason


def test_a_byte_order_mark_is_taken_off(record: Make, tmp_path: Path) -> None:
    documents, refused = read_bytes(tmp_path, b"\xef\xbb\xbf" + json.dumps([record()]).encode())
    assert (len(documents), refused) == (1, [])


class _Memory:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, size: int = -1) -> bytes:
        out, self._data = (self._data, b"") if size < 0 else (self._data[:size], self._data[size:])
        return out

    def close(self) -> None: ...


def test_numbers_are_never_floats() -> None:
    stream = BoundedStream(_Memory(b'{"results": [{"set_id": "a", "n": 1.10, "m": 3, "big": 1e400}]}'))  # type: ignore[arg-type]
    (found,) = stream_records(stream)
    assert isinstance(found, dict)
    assert (found["n"], found["m"]) == (Decimal("1.10"), 3)
    assert str(found["n"]) == "1.10"
    assert not any(isinstance(v, float) for v in found.values())


def test_the_limit_is_for_one_record_not_for_the_file() -> None:
    records = [{"set_id": f"a-{n}", "text": "x" * 60_000} for n in range(10)]
    many = BoundedStream(_Memory(json.dumps({"results": records}).encode()), limit=200_000)  # type: ignore[arg-type]
    assert len(list(stream_records(many))) == 10
    long = BoundedStream(_Memory(json.dumps([{"set_id": "a", "text": "x" * 300_000}]).encode()), limit=200_000)  # type: ignore[arg-type]
    with pytest.raises(Damaged, match="longer than"):
        list(stream_records(long))


texts = st.text(st.characters(blacklist_categories=("Cs",)), max_size=60)


@given(fields=st.dictionaries(st.sampled_from(["warnings", "pregnancy", "overdosage"]), st.lists(texts, min_size=1, max_size=4), min_size=1))
def test_any_text_survives_the_way_through_json_code_point_by_code_point(fields: dict[str, list[str]]) -> None:
    data = json.dumps([{"set_id": "a-1", "description": "x", **fields}]).encode()
    (found,) = stream_records(BoundedStream(_Memory(data)))  # type: ignore[arg-type]
    assert isinstance(found, dict)
    document, _ = read_record(found)
    for key, strings in fields.items():
        section = document.section(key)
        assert section is not None
        assert section.text == "\n".join(strings)


@given(data=st.binary(max_size=200))
def test_no_bytes_at_all_raise(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("any") / "a.json"
    path.write_bytes(data)
    assert all(isinstance(item, Refused) for item in OpenFdaReader().read(DiskFile(path)))
