"""Titles that flattened text runs into its sentences: where one may open, and where its words are only text."""

from __future__ import annotations

import re
import time

import pytest

from kb_builder.propose.populations.proposer import PopulationProposer
from kb_builder.propose.populations.titles import find_titles
from ontology.model.facts import Axis
from ontology.model.guards import Category, leaves
from ontology.model.spans import SpanRole

TITLE = re.compile(r"(?P<title>Geriatric Use|Pregnancy)[.:]?\s*")


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Pregnancy Women should know.", 1),
        ("8.5 Geriatric Use Of all patients", 1),
        ("Of all. Geriatric Use: none.", 1),
        ("by line\nGeriatric Use", 1),
        ("in the end; Pregnancy. Geriatric Use", 2),
        ("Pregnancy: Geriatric Use", 1),
        ("See the Geriatric Use of it", 0),
        ("the number 8 Pregnancy", 0),
    ],
)
def test_titles_open_behind_a_mark_a_number_or_the_text(text, titles):
    assert len(list(find_titles(TITLE, text, 0, len(text)))) == titles


def test_titles_are_looked_for_within_the_offsets_alone():
    text = "Pregnancy. Geriatric Use. Pregnancy"
    assert [m["title"] for m in find_titles(TITLE, text, 11, 26)] == ["Geriatric Use"]


def told(made):
    """(population, action) with the categories and bounds of the guard, of every claim."""
    out = set()
    for claim in [p.claim for p in PopulationProposer().propose(made.document, made.subject, made.lexicon)]:
        words = {str(v) for leaf in leaves(claim.guard) for v in (leaf.values if isinstance(leaf, Category) else (f"{leaf.low}..{leaf.high}",))}
        out.add((claim.object.code, claim.payload.strictest.value, ",".join(sorted(words))))
    return out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "8.6 Renal Impairment Mild Renal Impairment: No dose adjustment is needed. Severe Renal Impairment: Avoid ZOCOR.",
            {("renal", "no-adjustment", "mild"), ("renal", "avoid", "esrd,severe")},
        ),
        (
            "8.6 Use in Patients With Baseline Hepatic Impairment Mild (Child-Pugh A) Hepatic Impairment: No dose adjustment is necessary. "
            "Moderate (Child-Pugh B) Hepatic Impairment: Reduce the starting dose.",
            {("hepatic", "no-adjustment", "A"), ("hepatic", "adjust-dose", "B")},
        ),
        ("8.6 Renal Impairment Severe Renal Impairment Avoid ZOCOR.", {("renal", "avoid", "esrd,severe")}),
        ("Severe Renal Impairment (CrCl less than 30 mL/min): Avoid ZOCOR.", {("renal", "avoid", "None..30")}),
        ("8.6 Renal Impairment Avoid ZOCOR.", {("renal", "avoid", "")}),
        (
            "8.6 Severe Renal Impairment Avoid ZOCOR. In patients with mild renal impairment no dose adjustment is needed.",
            {("renal", "avoid", "esrd,severe"), ("renal", "no-adjustment", "mild")},
        ),
        (
            "8.7 Hepatic Impairment Avoid ZOCOR in patients with severe hepatic impairment and reduce the dose in patients with mild hepatic impairment.",
            {("hepatic", "avoid", "severe"), ("hepatic", "adjust-dose", "mild")},
        ),
        (
            "8.6 Renal Impairment Reduce the dose in patients with mild renal impairment and monitor serum creatinine.",
            {("renal", "adjust-dose", "mild"), ("renal", "monitor", "mild")},
        ),
        (
            "8.7 Hepatic Impairment Not Recommended in Patients with Severe Hepatic Impairment No dosage adjustment is required in patients with mild hepatic impairment.",
            {("hepatic", "not-recommended", "severe"), ("hepatic", "no-adjustment", "mild")},
        ),
    ],
)
def test_the_degree_that_a_title_names_holds_for_the_sentences_below_it(label, text, expected):
    assert told(label("8 USE IN SPECIFIC POPULATIONS " + text, "use_in_specific_populations")) == expected


@pytest.mark.parametrize("piece", ["Severe ", "Severe Renal Impairment ", "Mild or Severe (x) Renal Impairment (y) ", "Not Recommended in ", "Mild, "])
def test_repeated_words_of_titles_are_read_in_time(label, piece):
    began = time.process_time()
    told(label("8 USE IN SPECIFIC POPULATIONS " + piece * (100_000 // len(piece)), "use_in_specific_populations"))
    assert time.process_time() - began < 10


def test_the_title_of_a_subsection_on_dosing_is_cited_and_restricts_nothing(label):
    text = (
        "2 DOSAGE AND ADMINISTRATION 2.1 Hyperkalemia The recommended dose is 20 mg once daily. Do not use ZOCOR in patients with creatinine clearance above 95 mL/min. "
        "2.2 Anuria The recommended dose is 40 mg once daily."
    )
    made = label(text, "dosage_and_administration")
    (claim,) = [p.claim for p in PopulationProposer().propose(made.document, made.subject, made.lexicon) if "Do not use" in p.claim.evidence[0].quote]
    assert [s.quote for s in claim.evidence if s.role is SpanRole.HEADING] == ["Hyperkalemia"]
    assert [leaf.axis for leaf in leaves(claim.guard)] == [Axis.CRCL]
