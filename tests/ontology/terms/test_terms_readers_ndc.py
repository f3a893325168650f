"""The NDC directory's product file as records."""

from __future__ import annotations

from pathlib import Path

import pytest
from site_files import ndc_row, write_ndc

from ontology.model.errors import TerminologyError
from ontology.terms.readers.ndc import read_ndc
from ontology.terms.readers.records import BrandRecord, DrugRecord, LeftOut, LineRefused


def test_a_product_gives_its_code_and_its_brand(tmp_path: Path) -> None:
    drug, brand = read_ndc(write_ndc(tmp_path, [ndc_row("0999-0001", "Coumatest", "WARFARIN SODIUM", form="TABLET, FILM COATED")]))
    assert drug == DrugRecord("ndc", "0999-0001", (("WARFARIN SODIUM", None, None),), "TABLET, FILM COATED", ("ORAL",), "5 mg")
    assert brand == BrandRecord("Coumatest", (("WARFARIN SODIUM", None, None),))


def test_several_substances_and_routes_are_all_taken(tmp_path: Path) -> None:
    drug = next(iter(read_ndc(write_ndc(tmp_path, [ndc_row("0999-0001", "", "A; B ;C", route="ORAL; RECTAL", strength="1; 2; 3")]))))
    assert isinstance(drug, DrugRecord)
    assert [s[0] for s in drug.substances] == ["A", "B", "C"]
    assert (drug.routes, drug.strength) == (("ORAL", "RECTAL"), "")


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8"])
def test_both_encodings_in_use_are_read(tmp_path: Path, encoding: str) -> None:
    names = [i.name for i in read_ndc(write_ndc(tmp_path, [ndc_row("0999-0001", "Crème®", "A")], encoding)) if isinstance(i, BrandRecord)]
    assert names == ["Crème®"]


def test_what_is_no_product_is_refused_by_line(tmp_path: Path) -> None:
    rows = [ndc_row("no code", "X", "A"), ndc_row("0999-0002", "X", ""), "cut\toff", ndc_row("0999-0003", "X", "A"), ndc_row("0999-0004", "X", "A", flag="E")]
    items = list(read_ndc(write_ndc(tmp_path, rows)))
    assert [i.place for i in items if isinstance(i, LineRefused)] == ["product.txt, line 2", "product.txt, line 4"]
    assert [i.reason for i in items if isinstance(i, LeftOut)] == ["names no substance", "excluded by its own flag"]
    assert [i.code for i in items if isinstance(i, DrugRecord)] == ["0999-0003"]


def test_another_table_is_refused_with_the_columns_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "product.txt").write_text("a\tb\n1\t2\n")
    with pytest.raises(TerminologyError, match="lacks the columns PRODUCTNDC"):
        list(read_ndc(tmp_path / "product.txt"))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "product.txt").write_text("")
    with pytest.raises(TerminologyError, match="is empty"):
        list(read_ndc(tmp_path))
