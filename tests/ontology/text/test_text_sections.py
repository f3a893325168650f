from ontology.text.context import blank_references, cross_references
from ontology.text.sections import Zone, body_start, is_highlight, split_parts
from ontology.text.sentences import split_units

INTERACTIONS = (
    "7 DRUG INTERACTIONS Warfarin: Monitor INR. ( 7.1 ) Avoid aspirin. ( 7.2 ) 7.1 Warfarin Monitor INR [see Warnings (5.1)] . "
    "Doses of 7.5 mg and 7.2 mg/kg are usual. 7.2 Aspirin Avoid aspirin."
)


def test_the_printed_title_is_left_out():
    assert INTERACTIONS[body_start(INTERACTIONS) :].startswith("Warfarin:")
    assert "PRECAUTIONS Drug Interactions: Avoid"[body_start("PRECAUTIONS Drug Interactions: Avoid") :] == "Avoid"


def test_numbered_subsections_and_the_highlights_before_them():
    parts = split_parts(INTERACTIONS, blank_references(INTERACTIONS))
    assert [(p.number, p.zone) for p in parts] == [(None, Zone.HIGHLIGHTS), ("7.1", Zone.FULL), ("7.2", Zone.FULL)]
    assert INTERACTIONS[parts[1].start : parts[1].end].startswith("Warfarin Monitor")
    assert "7.5 mg" in INTERACTIONS[parts[1].start : parts[1].end]


def test_numbers_glued_to_their_heading():
    text = "7 DRUG INTERACTIONS 7.1Antacids Avoid. 7.2Aspirin Avoid."
    assert [p.number for p in split_parts(text, text)] == ["7.1", "7.2"]


def test_a_number_with_a_space_in_it_is_one_where_the_next_is_due():
    text = "2.1 Testing Test first. 2. 2 Usual Dosage Take one. See below. 2. 9 Tablets are scored. 2. 3 Elderly Take half."
    assert [p.number for p in split_parts(text, text)] == ["2.1", "2.2", "2.3"]
    assert [p.number for p in split_parts("Take 2. 2 Tablets a day.", "Take 2. 2 Tablets a day.")] == [None]


def test_subsections_that_a_field_repeats_on_lines_of_their_own_are_parts_again():
    text = "7 DRUG INTERACTIONS 7.1 First One. See 7.1 Bold. 7.2 Second Two.\n7.1 First One.\n7.2 Second Two."
    assert [p.number for p in split_parts(text, text)] == ["7.1", "7.2", "7.1", "7.2"]


def test_markdown_headings_with_and_without_numbers():
    text = "Lead.\u2029### 7.1 Warfarin\nMonitor.\u2029### Aspirin\nAvoid."
    assert [p.number for p in split_parts(text, text)] == [None, "7.1", None]


def test_highlights_behind_the_full_text_end_in_a_bare_number():
    text = "4 CONTRAINDICATIONS Drug X is contraindicated in anuria [see Warnings (5.1)] . Anuria ( 4 )"
    blank = blank_references(text)
    part = split_parts(text, blank)[0]
    full, highlight = split_units(blank, part.start, part.end)
    assert not is_highlight(text, part, full)
    assert is_highlight(text, part, highlight)


def test_cross_references_in_all_their_forms():
    text = "a [see Warnings and Precautions (5.1)] b ( 7.1 , 12.3 ) c (see WARNINGS and DOSAGE (2.1)) d (4 , Error! Hyperlink reference not valid. e (e.g., warfarin)"
    assert [text[s:e][:6] for s, e in cross_references(text)] == ["[see W", "( 7.1 ", "(see W", "(4 , E"]


def test_markdown_headings_of_every_depth_part_a_section_and_captions_of_tables_do_not():
    text = "# 7.1 Warfarin\n\nMonitor.\n\n# Table 2: Inhibitors\n\nx\n\n## 7.2 Aspirin\n\nAvoid."
    assert [p.number for p in split_parts(text, text)] == ["7.1", "7.2"]


def test_a_subsection_whose_name_begins_with_a_figure_is_one():
    text = "7 DRUG INTERACTIONS 7.1 5-Fluorouracil Given together without effect and never studied 7.2 Strong Inducers Avoid them. 7.3 Others Monitor."
    assert [p.number for p in split_parts(text, text)] == ["7.1", "7.2", "7.3"]


def test_a_field_that_begins_with_its_first_subsection_is_parted_though_that_one_is_general():
    text = "2.1 General Dosing Instructions Take it whole. 2.2 Adults Take 5 mg."
    assert [p.number for p in split_parts(text, text)] == ["2.1", "2.2"]
    assert text[body_start("General: ") :] == text[len("General: ") :]


def test_general_information_is_a_title_whatever_its_number():
    text = "7 DRUG INTERACTIONS 7.1 General Information Drugs may interact with it. 7.2 Inhibitors Avoid them."
    assert text[body_start(text) :].startswith("Drugs may interact")
