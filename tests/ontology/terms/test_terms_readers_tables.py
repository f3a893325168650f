"""ATC tables and site code maps, in the spellings spreadsheets give them."""

from __future__ import annotations

from pathlib import Path

import pytest
from site_files import atom, write_rxnorm

from ontology.model.errors import TerminologyError
from ontology.terms.readers.atc import read_atc
from ontology.terms.readers.records import ClassRecord, DrugRecord, Item, LeftOut, LineRefused, MemberRecord, SiteCodeRecord
from ontology.terms.readers.site_codes import read_site_codes

ATC = "ATC code{0}ATC level name\nJ01C{0}Penicillins\nJ01CA{0}Extended penicillins\nJ01CA04{0}amoxicillin\nJ01CA20{0}combinations\n"


def written(folder: Path, text: str, name: str = "table.csv", encoding: str = "utf-8") -> Path:
    (folder / name).write_bytes(text.encode(encoding))
    return folder / name


def refused(items: list[Item]) -> list[str]:
    return [f"{i.place}: {i.what}" for i in items if isinstance(i, LineRefused)]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_classes_hang_below_each_other_and_substances_are_members_and_codes(tmp_path: Path, separator: str) -> None:
    items = list(read_atc(written(tmp_path, ATC.format(separator), encoding="utf-8-sig")))
    assert items == [
        ClassRecord("atc", "J01C", "Penicillins", "J01"),
        ClassRecord("atc", "J01CA", "Extended penicillins", "J01C"),
        MemberRecord("atc", "J01CA", "amoxicillin"),
        DrugRecord("atc", "J01CA04", (("amoxicillin", None, None),)),
        LeftOut("stands for several compositions"),
    ]


def test_atc_rows_of_an_rxnorm_release_know_their_ingredient(tmp_path: Path) -> None:
    rows = [atom(7999001, "IN", "zembramib", source="ATC", code="L01EX99"), atom(123, "PT", "Other kinase inhibitors", source="ATC", code="L01EX")]
    items = list(read_atc(write_rxnorm(tmp_path, conso=rows)))
    assert MemberRecord("atc", "L01EX", "zembramib", "7999001") in items
    assert ClassRecord("atc", "L01EX", "Other kinase inhibitors", "L01E") in items


def test_an_rxnorm_release_without_atc_says_so(tmp_path: Path) -> None:
    with pytest.raises(TerminologyError, match="no rows of source ATC"):
        list(read_atc(write_rxnorm(tmp_path)))


def test_a_class_with_two_names_and_rows_that_are_none_are_refused(tmp_path: Path) -> None:
    items = list(read_atc(written(tmp_path, "code,name\nJ01C,Penicillins\nJ01C,Something else\n12,x\nJ01CA04,\n")))
    assert [line.split(":")[0] for line in refused(items)] == ["table.csv, line 3", "table.csv, line 4", "table.csv, line 5"]


def test_a_code_map_names_what_each_code_means(tmp_path: Path) -> None:
    text = (
        "system,code,means,kind\nurn:x,1,rxnorm:11289,\nurn:x,2,Aspirin + rxnorm:11289,drug\nurn:x,3,icd10:E11.9,\nurn:x,4,loinc:2160-0,\n"
        'urn:x,5,"penicillin",allergen\nhttp://snomed.info/sct,6,name:asthma,condition\n'
    )
    items = list(read_site_codes(written(tmp_path, text)))
    assert [(i.system, i.code, i.kind, i.means) for i in items if isinstance(i, SiteCodeRecord)] == [
        ("urn:x", "1", "drug", ("rxnorm:11289",)),
        ("urn:x", "2", "drug", ("name:Aspirin", "rxnorm:11289")),
        ("urn:x", "3", "condition", ("icd10cm:E11.9",)),
        ("urn:x", "4", "lab", ("loinc:2160-0",)),
        ("urn:x", "5", "allergen", ("name:penicillin",)),
        ("snomed", "6", "condition", ("name:asthma",)),
    ]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("urn:x,1,", "is empty"),
        (",1,rxnorm:1", "is empty"),
        ("urn:x,1,rxnorm:1,drugs", "kind 'drugs'"),
        ("urn:x,1,icd10:E11,drug", "a drug is not named by icd10cm"),
        ("urn:x,1,loinc:1-1 + loinc:2-2,lab", "means one LOINC code"),
        ("urn:x", "columns instead of"),
        ('urn:x,"1,rxnorm:1', "never closed"),
        ("urn:x,1,rxnorm:1,drug,more", "columns instead of"),
    ],
)
def test_a_row_that_says_nothing_clear_is_refused_and_the_next_lands(tmp_path: Path, row: str, said: str) -> None:
    items = list(read_site_codes(written(tmp_path, f"system,code,means,kind\n{row}\nurn:x,2,rxnorm:2,\n")))
    assert [line for line in refused(items) if "line 2" in line and said in line]
    assert isinstance(items[-1], SiteCodeRecord)


def test_a_map_without_its_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TerminologyError, match="no column means"):
        list(read_site_codes(written(tmp_path, "system,code\na,b\n")))
