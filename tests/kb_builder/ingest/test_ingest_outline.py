"""The outline of a label's text: Highlights, table of contents, sections by number and by look, subsections, nothing lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_builder.ingest.outline import Placed, outline_of, read_outline
from kb_builder.ingest.outline_heads import NoOutline
from ontology.text.document import SectionState

PRINT = """# converter_name

**Pages:** 3

SAMPLOL- samplol tablet
A labeler

# HIGHLIGHTS OF PRESCRIBING INFORMATION

SAMPLOL tablets, for oral use
Initial U.S. Approval: 1999

# WARNING: FALLS

Samplol may cause falls. ( 5.1)

# RECENT MAJOR CHANGES

Contraindications ( 4) 1/2020

# INDICATIONS AND USAGE

Samplol is for pain. ( 1)

# Limitations of Use

Not for fever. ( 1)

# CONTRAINDICATIONS

- Anuria ( 4)

# WARNINGS AND PRECAUTIONS

Falls ( 5.1)

# ADVERSE REACTIONS

Rash ( 6)

Revised: 8/2022

# FULL PRESCRIBING INFORMATION: CONTENTS*

- WARNING: FALLS
- 1 INDICATIONS AND USAGE

# 2 DOSAGE AND ADMINISTRATION

# 4 CONTRAINDICATIONS

# 5 WARNINGS AND PRECAUTIONS

# 8 USE IN SPECIFIC POPULATIONS

# 8.1 Pregnancy

* Sections or subsections omitted from the full prescribing information are not listed.

FULL PRESCRIBING INFORMATION

WARNING: FALLS

Samplol may cause falls in the old.

# 1 INDICATIONS AND USAGE

Samplol is indicated for pain.

# 2 DOSAGE AND ADMINISTRATION

# 2.5 Renal Impairment

Halve the dose when GFR &#x3C;30.

# 4 CONTRAINDICATIONS

None

# 5 WARNINGS AND PRECAUTIONS

# 5.1 Falls

Watch out.

# Precautions (5.2)

More text.

# 6 ADVERSE REACTIONS

Rash.

# 8 USE IN SPECIFIC POPULATIONS

# 8.1 Pregnancy


# 8.1 Pregnancy

# Risk Summary

Unknown risk.

# 8.6 Dosing in Renal Impairment

See dosing.

# 10 OVERDOSAGE

Call.

# 17 PATIENT COUNSELING INFORMATION

Tell them.

# MEDICATION GUIDE

# What is samplol?

A drug.

# PRINCIPAL DISPLAY PANEL - 1 mg

NDC 0000-0000-01
"""


def of(text: str, key: str) -> Placed:
    (found,) = [p for p in read_outline(text) if p.section.key == key]
    return found


def keys(text: str) -> list[str]:
    return [p.section.key for p in read_outline(text)]


def test_a_print_gives_highlights_and_full_text_and_passes_over_the_contents() -> None:
    assert keys(PRINT) == [
        "preamble",
        "highlights",
        "highlights.boxed_warning",
        "recent_major_changes",
        "highlights.indications_and_usage",
        "highlights.contraindications",
        "highlights.warnings_and_cautions",
        "highlights.adverse_reactions",
        "boxed_warning",
        "indications_and_usage",
        "dosage_and_administration",
        "contraindications",
        "warnings_and_cautions",
        "adverse_reactions",
        "use_in_specific_populations",
        "pregnancy",
        "renal_impairment",
        "overdosage",
        "information_for_patients",
        "spl_medguide",
        "package_label_principal_display_panel",
    ]
    start, end = outline_of(PRINT).contents
    assert PRINT[start:end].startswith("# FULL PRESCRIBING INFORMATION: CONTENTS*")
    assert PRINT[start:end].endswith("are not listed.\n")


def test_a_section_of_the_highlights_names_the_full_section_it_repeats() -> None:
    assert of(PRINT, "highlights.contraindications").section.repeats == "contraindications"
    assert of(PRINT, "recent_major_changes").section.repeats is None
    assert "Not for fever" in of(PRINT, "highlights.indications_and_usage").section.text


def test_without_full_text_the_highlights_are_the_sections() -> None:
    alone = PRINT[: PRINT.index("# FULL PRESCRIBING INFORMATION: CONTENTS*")]
    found = of(alone, "contraindications")
    assert (found.section.text, found.section.repeats) == ("\n- Anuria ( 4)\n\n", None)


def test_every_section_stands_at_its_place_and_nothing_else_is_between() -> None:
    for placed in read_outline(PRINT):
        assert PRINT[placed.start : placed.end] == placed.section.text
    assert of(PRINT, "contraindications").section.state is SectionState.NONE
    assert "&#x3C;30" in of(PRINT, "dosage_and_administration").section.text


def test_a_coded_subsection_stands_in_its_parent_and_on_its_own() -> None:
    parent, own = of(PRINT, "use_in_specific_populations"), of(PRINT, "pregnancy")
    assert own.section.text in parent.section.text
    assert "# 8.6 Dosing" in parent.section.text
    assert "Risk Summary" in own.section.text
    assert "See dosing" not in own.section.text
    assert own.section.loinc == "42228-7"


def test_a_heading_of_another_section_stays_a_subheading() -> None:
    assert "# 2.5 Renal Impairment" in of(PRINT, "dosage_and_administration").section.text
    assert "# Precautions (5.2)\n\nMore text." in of(PRINT, "warnings_and_cautions").section.text


def test_contents_without_an_end_mark_end_where_a_section_comes_again() -> None:
    cut = PRINT.replace("* Sections or subsections omitted from the full prescribing information are not listed.\n", "").replace(
        "FULL PRESCRIBING INFORMATION\n\nW", "W"
    )
    assert of(cut, "contraindications").section.text == "\nNone\n\n"
    assert "indications_and_usage" in keys(cut)
    start, end = outline_of(cut).contents
    assert "WARNING: FALLS" not in cut[start + len("# FULL PRESCRIBING INFORMATION: CONTENTS*\n\n- WARNING: FALLS") : end]
    assert cut[end:].startswith("WARNING: FALLS\n\nSamplol may cause falls in the old.")


def test_an_item_of_a_list_is_no_heading() -> None:
    text = OLD.replace("Rash.", "Rash.\n\n- OVERDOSAGE\n* WARNINGS\n")
    assert keys(text) == keys(OLD)


def test_a_boxed_warning_of_the_highlights_is_known_by_the_line_below_its_title() -> None:
    text = PRINT.replace(
        "# WARNING: FALLS\n\nSamplol may cause falls. ( 5.1)", "# FALLS OF THE OLD\n\nSee full prescribing information for complete boxed warning.\n\nFalls."
    )
    assert of(text, "highlights.boxed_warning").section.title == "FALLS OF THE OLD"


def test_a_leaflet_behind_the_last_section_is_a_section_and_a_subheading_of_it_is_none() -> None:
    leaflet = PRINT.replace("Tell them.", "Tell them.\n\n# Information for Patients\n\nMore.\n\n# PATIENT INFORMATION\n\nRead this.")
    assert of(leaflet, "spl_patient_package_insert").section.text.strip() == "Read this."
    assert "More." in of(leaflet, "information_for_patients").section.text


def test_a_stray_number_does_not_mislead() -> None:
    stray = PRINT.replace("Samplol is indicated for pain.", "Samplol is indicated for pain.\n\n# 16 HOW SUPPLIED\n\nx")
    assert keys(stray) == keys(PRINT)


OLD = """SAMPLOL TABLETS, USP

Rx only

DESCRIPTION

Samplol is white.

INDICATIONS AND USAGE

For pain.

CONTRAINDICATIONS

Anuria.

WARNINGS

Falls.

PRECAUTIONS

General

Care in renal impairment.

Drug Interactions

Warfarin: monitor INR.

Pregnancy

Teratogenic effects are unknown.

Nursing Mothers

Do not nurse.

ADVERSE REACTIONS: Rash.

HOW SUPPLIED

White tablets.
"""


def test_an_old_label_in_plain_text_is_read_by_its_capitals() -> None:
    assert keys(OLD) == [
        "preamble",
        "description",
        "indications_and_usage",
        "contraindications",
        "warnings",
        "precautions",
        "drug_interactions",
        "pregnancy",
        "nursing_mothers",
        "adverse_reactions",
        "how_supplied",
    ]
    assert of(OLD, "drug_interactions").section.text == "\nWarfarin: monitor INR.\n\n"
    assert of(OLD, "adverse_reactions").section.text == "Rash.\n\n"
    assert "Drug Interactions\n\nWarfarin" in of(OLD, "precautions").section.text


def test_a_numbered_plain_text_label_is_read_by_its_numbers() -> None:
    text = (
        "1 INDICATIONS AND USAGE\nFor pain.\n2 DOSAGE AND ADMINISTRATION\n2.1 Adults\n1 mg\n2 DOSAGE AND ADMINISTRATION\nmore\n"
        "4 CONTRAINDICATIONS None.\n5 WARNINGS AND PRECAUTIONS\n5.1 Falls\nx\n7 DRUG INTERACTIONS\n1. Warfarin\n8 USE IN SPECIFIC POPULATIONS\n8.1 Pregnancy\ny\n"
    )
    assert keys(text) == [
        "indications_and_usage",
        "dosage_and_administration",
        "contraindications",
        "warnings_and_cautions",
        "drug_interactions",
        "use_in_specific_populations",
        "pregnancy",
    ]
    assert of(text, "contraindications").section.text == "None.\n"
    assert of(text, "dosage_and_administration").section.text.endswith("more\n")


def test_a_heading_of_unknown_name_and_first_rank_is_a_section_of_its_own_words() -> None:
    text = "# Samplol\n\n## Contraindications\n\nA.\n\n### Detail\n\nB.\n\n## Our own heading\n\nC.\n\n## Drug interactions\n\nD.\n"
    assert keys(text) == ["preamble", "contraindications", "our_own_heading", "drug_interactions"]


def test_a_repeated_section_is_numbered_and_an_empty_repeat_falls_away() -> None:
    text = "## Contraindications\n\n## Warnings\n\nW.\n\n## Contraindications\n\nA.\n\n## Pregnancy\n\nP.\n\n## Contraindications\n\nB.\n"
    outline = outline_of(text)
    assert [(p.section.key, p.section.text.strip()) for p in outline.placed] == [
        ("warnings", "W."),
        ("contraindications", "A."),
        ("pregnancy", "P."),
        ("contraindications.2", "B."),
    ]
    assert [key for key, _ in outline.renamed] == ["contraindications.2"]


def test_headings_in_tables_and_fences_are_none() -> None:
    text = "## Warnings\n\n<table><tr><td>\n## Contraindications\n</td></tr></table>\n\n```\n## Pregnancy\n```\n"
    assert keys(text) == ["warnings"]


def test_a_million_headings_are_refused_in_bounded_time() -> None:
    with pytest.raises(NoOutline, match="headings that open sections"):
        read_outline("## Contraindications\na\n## Warnings\nb\n" * 20_000)
    with pytest.raises(NoOutline, match="lines that look like headings"):
        read_outline("# x\n" * 1_000_000)


@given(st.lists(st.sampled_from(["# 4 CONTRAINDICATIONS", "# WARNINGS", "DRUG INTERACTIONS", "【禁忌】对本品过敏者禁用。", "【用法用量】", "# HIGHLIGHTS OF PRESCRIBING INFORMATION",
    "FULL PRESCRIBING INFORMATION", "# FULL PRESCRIBING INFORMATION: CONTENTS*", "# 8.1 Pregnancy", "text of it", "- item", "", "| a | b |", "<table>", "```", "PRECAUTIONS: x", "1 INDICATIONS AND USAGE"]), max_size=30))  # fmt: skip
def test_every_section_of_any_text_is_a_slice_of_it_and_no_line_of_text_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    outline = outline_of(text)
    covered = [False] * len(text)
    for placed in outline.placed:
        assert text[placed.start : placed.end] == placed.section.text
        covered[placed.start : placed.end] = [True] * len(placed.section.text)
    if outline.placed:
        start, end = outline.contents
        at = 0
        for line in text.splitlines(keepends=True):
            inside = start <= at < end
            assert inside or line.strip() not in ("text of it", "- item", "| a | b |") or all(covered[at : at + len(line.rstrip())])
            at += len(line)
