"""Labels without a metadata block: identity from their own words, dates, pages, product tables; what is no label; hostile sizes; real files."""

from __future__ import annotations

import re
import time
from datetime import date
from pathlib import Path

import pytest

from kb_builder.assemble.composition import substance_span
from kb_builder.ingest.label_text import NotALabel, Note, read_label_text
from kb_builder.ingest.markdown import MarkdownReader
from kb_builder.ingest.plain_text import TextReader
from kb_builder.ingest.reader import Noted, Refused
from kb_builder.ingest.registry import reader_of
from kb_builder.ingest.sources import DiskFile
from ontology.model.identifiers import Code
from ontology.text.document import Document, ProductInfo, page_at

BODY = "\n# 1 INDICATIONS AND USAGE\n\nFor pain.\n\n# 4 CONTRAINDICATIONS\n\nAnuria.\n\n# 7 DRUG INTERACTIONS\n\nWarfarin.\n"
TABLES = """
# 2 DOSAGE AND ADMINISTRATION

1 mg.

# 5 WARNINGS AND PRECAUTIONS

Falls.

# 10 OVERDOSAGE

Call.

# 17 PATIENT COUNSELING INFORMATION

Tell.

# MEDICATION GUIDE

Revised: 11/2026

# PRINCIPAL DISPLAY PANEL

NDC 0001-0001-01

# SAMPLINE

samplol sodium tablet, film coated

# Product Information

| Product Type            | HUMAN PRESCRIPTION DRUG |
| ----------------------- | ----------------------- |
| Item Code (Source)      | NDC:0001-0001           |
| Route of Administration | ORAL                    |

# Active Ingredient/Active Moiety

| Ingredient Name                                                  | Basis of Strength | Strength |
| ---------------------------------------------------------------- | ----------------- | -------- |
| SAMPLOL SODIUM (UNII: 1234567ABC) (SAMPLOL - UNII:9999 999XYZ)   | SAMPLOL SODIUM    | 1 mg     |

# Inactive Ingredients

| Ingredient Name            | Strength |
| -------------------------- | -------- |
| LACTOSE (UNII: 3SY5LH9PMK) |          |

# SAMPLINE

samplol sodium tablet, film coated

Product Information

Product Type HUMAN PRESCRIPTION DRUG

Item Code (Source) NDC:0001-0002

# Route of Administration

ORAL

# Active Ingredient/Active Moiety

| SAMPLOL SODIUM (UNII: 1234567ABC) | SAMPLOL SODIUM | 2 mg |

# Inactive Ingredients

| LACTOSE (UNII: 3SY5LH9PMK) | |

# Labeler

A Labeler, Inc. (123456789)

Set id: 11111111-2222-3333-4444-555555555555

Version: 7

Revised: 5/2024
"""


def products(text: str) -> tuple[ProductInfo, ...]:
    return read_label_text(text, "text")[0].products


def test_product_tables_give_names_codes_routes_and_substances() -> None:
    document, _ = read_label_text(BODY + TABLES, "markdown")
    (product,) = document.products
    assert (product.generic_name, product.brand_names, product.form, product.routes) == ("samplol sodium", ("SAMPLINE",), "tablet, film coated", ("ORAL",))
    assert [(s.name, s.unii, s.strength) for s in product.substances] == [("SAMPLOL SODIUM", "1234567ABC", None)]
    assert product.codes == (Code("setid", "11111111-2222-3333-4444-555555555555"), Code("ndc", "0001-0001"), Code("ndc", "0001-0002"))
    assert (document.set_id, document.version.number, document.version.effective) == ("11111111-2222-3333-4444-555555555555", "7", date(2024, 5, 1))
    assert (document.product_type, document.publisher, document.title) == ("HUMAN PRESCRIPTION DRUG", "A Labeler, Inc.", "SAMPLINE (samplol sodium)")
    span = substance_span(document, "SAMPLOL SODIUM")
    assert span is not None
    assert (span.section, span.quote) == ("spl_product_data_elements", "SAMPLOL SODIUM")


def test_the_strength_of_a_single_product_is_kept() -> None:
    one = TABLES[: TABLES.index("# SAMPLINE\n\nsamplol sodium tablet, film coated\n\nProduct Information")]
    assert products(BODY + one)[0].substances[0].strength == "1 mg"


def test_a_unii_that_the_print_parted_is_whole_and_a_cut_one_is_left_out() -> None:
    parted = products(BODY + TABLES.replace("1234567ABC", "12345 67ABC"))
    assert parted[0].substances[0].unii == "1234567ABC"
    assert products(BODY + TABLES.replace("1234567ABC", "1234567AB"))[0].substances[0].unii is None


HIGHLIGHTS = "# HIGHLIGHTS OF PRESCRIBING INFORMATION\n\n{line}\nInitial U.S. Approval: 1990\n\n# INDICATIONS AND USAGE\n\nPain. (1)\n\nRevised: 07/2023\n\nFULL PRESCRIBING INFORMATION\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("SAMPLINE (samplol sodium) tablets, for oral use", [("samplol sodium", ("SAMPLINE",), ("oral",), "tablets", ["samplol sodium"])]),
        ("SAMPLINE® (samplol and otherine) extended-release tablets, for oral use, CII", [("samplol and otherine", ("SAMPLINE",), ("oral",), "extended-release tablets", ["samplol", "otherine"])]),
        ("SAMPLOL SODIUM tablets, for oral use", [("SAMPLOL SODIUM", (), ("oral",), "tablets", ["SAMPLOL SODIUM"])]),
        ("# SAMPLOL capsules, for oral use\n\n# SAMPLOL for oral suspension", [("SAMPLOL", (), ("oral",), "capsules", ["SAMPLOL"]), ("SAMPLOL", (), (), "for oral suspension", ["SAMPLOL"])]),
        ("SAMPLINE (samplol) injection, for intravenous or subcutaneous use", [("samplol", ("SAMPLINE",), ("intravenous", "subcutaneous"), "injection", ["samplol"])]),
        ("These highlights do not include all the information needed to use SAMPLINE safely.", []),
    ],
)  # fmt: skip
def test_the_product_line_of_the_highlights_names_the_product(line: str, expected: list[object]) -> None:
    found = products(HIGHLIGHTS.format(line=line) + BODY)
    assert [(p.generic_name, p.brand_names, p.routes, p.form, [s.name for s in p.substances]) for p in found] == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("SAMPLINE- samplol sodium tablet, film coated\nA labeler\n", [("samplol sodium", "tablet, film coated", ("SAMPLINE",))]),
        ("SAMPLOL- samplol capsule\n", [("samplol", "capsule", ())]),
        ("# Samplol Tablets, USP\n\nRx only\n", [("Samplol", "Tablets", ())]),
        ("SAMPLOL AND OTHERINE TABLETS USP 5 mg/10 mg\n", [("SAMPLOL AND OTHERINE", "TABLETS", ())]),
        ("# converter_samplol_tablets_2025\n\n**Pages:** 3\n", []),
        ("Take two tablets\n", []),
        ("SAMPLOL Injection 13 PRODUCT DESCRIPTION\n", []),
        ("", []),
    ],
)
def test_the_head_of_a_label_names_the_product_only_in_the_shape_of_a_name(head: str, expected: list[object]) -> None:
    assert [(p.generic_name, p.form, p.brand_names) for p in products(head + BODY)] == expected


def test_a_drug_facts_label_names_its_product_by_its_active_ingredients() -> None:
    text = "Drug Facts\n\nActive ingredients (in each caplet)\n\nSamplol HCl 25 mg\nOtherine 2.5 mg*\n\nUses\n\nFor pain.\n\nWarnings\n\nx\n\nDo not use\n\nwith an MAOI\n\nDirections\n\none\n"
    document, _ = read_label_text(text, "text")
    assert [(s.name, s.strength) for s in document.products[0].substances] == [("Samplol HCl", "25 mg"), ("Otherine", "2.5 mg")]
    assert document.section("do_not_use") is not None
    span = substance_span(document, "Otherine")
    assert span is not None
    assert span.section == "active_ingredient"
    assert products(text.replace("Otherine 2.5 mg*", "and another")) == ()


def test_a_label_that_names_nothing_says_so() -> None:
    document, notes = read_label_text(BODY, "text")
    assert re.fullmatch(r"text-[0-9a-f]{16}", document.set_id)
    assert (document.version.number, document.version.effective) == (None, None)
    assert {note.field for note in notes} == {"products", "set_id"}
    assert not any(note.lost for note in notes)
    assert read_label_text(BODY + "\n", "text")[0].set_id != document.set_id


@pytest.mark.parametrize(
    ("line", "day", "whole"),
    [
        ("Revised: 8/2022", date(2022, 8, 1), False),
        ("Revised: March 2021", date(2021, 3, 1), False),
        ("Revised: 03/15/2021", date(2021, 3, 15), True),
        ("Rev. Jan. 2020", date(2020, 1, 1), False),
        ("Effective Date: 20250131", date(2025, 1, 31), True),
        ("Effective Time: 2025-01-31\nRevised: 5/2024", date(2025, 1, 31), True),
        ("Revised: 13/2022", None, True),
        ("This was revised in 2022.", None, True),
    ],
)
def test_dates_are_read_as_printed(line: str, day: date | None, whole: bool) -> None:
    document, notes = read_label_text(f"{BODY}\n{line}\n", "text")
    assert document.version.effective == day
    assert ("effective" not in {note.field for note in notes}) is whole


def test_every_section_knows_its_pages() -> None:
    at = BODY.index("# 7 DRUG")
    document, _ = read_label_text(BODY, "pdf", ((0, 1), (BODY.index("Anuria"), 2), (at, 3)))
    section = document.section("contraindications")
    assert section is not None
    assert section.pages == ((0, 1), (section.text.index("Anuria"), 2))
    interactions = document.section("drug_interactions")
    assert interactions is not None
    assert (interactions.pages, page_at(interactions.pages, 3)) == (((0, 3),), 3)


def test_a_table_of_contents_left_out_is_told_by_its_lines() -> None:
    text = "\n\nFULL PRESCRIBING INFORMATION: CONTENTS*\n1 INDICATIONS AND USAGE\n* Sections or subsections omitted from it are not listed.\n" + BODY
    _, notes = read_label_text(text, "text")
    assert Note(None, "lines 3 to 5 are a table of contents: left out") in notes


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A letter.\n\nDear all,\nnothing here.\n", "no section of a label found: looked for headings on indications"),
        ("", "the file is empty"),
        ("CONTRAINDICATIONS\n\n\nWARNINGS\n\n", "no section"),
        ("# Description\n\nWhite.\n", "no section holds text on"),
    ],
)
def test_a_text_that_is_no_label_is_refused_with_what_was_looked_for(text: str, reason: str) -> None:
    with pytest.raises(NotALabel, match=reason):
        read_label_text(text, "text")


def test_readers_are_found_by_suffix() -> None:
    assert isinstance(reader_of("a.TXT"), TextReader)
    assert isinstance(reader_of("a.md"), MarkdownReader)


def test_a_front_matter_label_may_be_a_text_file_and_a_leading_rule_is_no_front_matter(tmp_path: Path, monograph: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(monograph, encoding="utf-8")
    (document,) = [i for i in TextReader().read(DiskFile(path)) if isinstance(i, Document)]
    assert document.set_id == "test-warfarin"
    path.write_text("---\n\nSamplol\n\n---\n" + BODY, encoding="utf-8")
    items = list(TextReader().read(DiskFile(path)))
    assert isinstance(items[0], Document)
    assert {i.field for i in items[1:] if isinstance(i, Noted)} == {"products", "set_id"}


HOSTILE = {
    "one long line": "WARNINGS\n" + "a b " * 2_000_000,
    "a million headings": "# x\n" * 1_000_000 + "## Warnings\nx\n",
    "headings of sections": "## Warnings\nx\n## Contraindications\ny\n" * 100_000,
    "deep HTML": "## Warnings\nx\n" + "<div>" * 100_000,
    "open tables": "## Warnings\nx\n" + "<table>" * 100_000,
    "open cells": "## Warnings\nx\n<table>" + "<tr><td>" * 100_000,
    "brackets": "## Warnings\nx\n" + "【" * 500_000,
    "asterisks": "## Warnings\nx\n" + "*" * 500_000 + "\n" + "**" * 200_000,
    "numbers": "## Warnings\nx\n" + "1." * 500_000,
    "blanks": "## Warnings\nx\n" + " \n" * 1_000_000,
    "pipes": "## Warnings\nx\n" + "|" * 200_000,
    "colons": "## Warnings\nx\n" + "成份：" * 300_000,
    "fences": "## Warnings\nx\n" + "```\n" * 300_000,
    "revisions": "## Warnings\nx\n" + "Revised: " * 300_000,
    "dashes": "A" * 70 + " - " * 300_000 + "\n## Warnings\nx\n",
    "items of a composition": "【成份】" + "甲草、" * 300_000 + "\n【禁忌】无\n",
    "names": "【药品名称】" + "通用名称：" * 200_000 + "\n【禁忌】孕妇\n",
    "unii": "## Warnings\nx\n# 1 INDICATIONS AND USAGE\n" + "A (UNII: " * 200_000,
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_texts_are_read_or_refused_in_bounded_time(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(HOSTILE[name], encoding="utf-8")
    start = time.monotonic()
    items = list(MarkdownReader().read(DiskFile(path)))
    assert items
    assert time.monotonic() - start < 20
    assert isinstance(items[0], Document | Refused)


def test_a_text_of_a_hundred_megabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"WARNINGS\n" + b"word " * 20_000_000)
    (refusal,) = TextReader().read(DiskFile(path))
    assert isinstance(refusal, Refused)
    assert "longer than 64 MB" in refusal.reason
    path.write_bytes(b"WARNINGS\n" + b"word " * 4_000_000)
    (refusal,) = TextReader().read(DiskFile(path))
    assert isinstance(refusal, Refused)
    assert "more than the 8,000,000" in refusal.reason


REAL = ("fda_warfarin_label_2025.md", "fda_amoxicillin_highlights_2025.md")


@pytest.mark.shared
@pytest.mark.parametrize("name", REAL)
def test_every_line_of_a_real_label_stands_in_a_section_but_headings_and_the_contents(shared: Path, name: str) -> None:
    path = shared / "data" / "labels" / "markdown" / name
    raw = path.read_text(encoding="utf-8")
    items = list(MarkdownReader().read(DiskFile(path)))
    assert not [i for i in items if isinstance(i, Refused)]
    (document,) = [i for i in items if isinstance(i, Document)]
    covered: set[int] = set()
    for section in document.sections:
        assert section.text, section.key
        places = [m.start() for m in re.finditer(re.escape(section.text), raw)]
        assert len(places) == 1, section.key
        covered.update(range(places[0], places[0] + len(section.text)))
    begin, end = raw.index("# FULL PRESCRIBING INFORMATION: CONTENTS*"), raw.index("are not listed.\n") + len("are not listed.\n")
    titles = {section.title for section in document.sections} | {"FULL PRESCRIBING INFORMATION"}
    at, left_out = 0, []
    for line in raw.splitlines(keepends=True):
        heading = line.strip().removeprefix("#").strip() in titles
        if line.strip() and not heading and not begin <= at < end and not covered.issuperset(range(at, at + len(line.rstrip()))):
            left_out.append(line)
        at += len(line)
    assert left_out == []


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "generic", "unii", "ndc"),
    [(REAL[0], "warfarin sodium", "6153CWM0CL", "51407-784"), (REAL[1], "amoxicillin", "804826J2HU", "81964-225")],
)
def test_real_labels_give_their_identity(shared: Path, name: str, generic: str, unii: str, ndc: str) -> None:
    (document,) = [i for i in MarkdownReader().read(DiskFile(shared / "data" / "labels" / "markdown" / name)) if isinstance(i, Document)]
    (product,) = document.products
    assert (product.generic_name, product.substances[0].unii, product.routes) == (generic, unii, ("ORAL",))
    assert Code("ndc", ndc) in product.codes
    assert document.version.effective is not None
    assert document.version.effective.year == 2025
