"""What holds of every proposer of a build for any text: none raises, quotes stand at their places, and time grows with the length of the text."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb_builder.propose.protocol import Dropped, Proposal
from kb_builder.propose.registry import PROPOSERS

KEYS = (
    "indications_and_usage",
    "dosage_and_administration",
    "contraindications",
    "drug_interactions",
    "warnings_and_cautions",
    "boxed_warning",
    "use_in_specific_populations",
    "geriatric_use",
    "description",
)
SENTENCES = (
    "2.1 Recommended Dosage The recommended dose is 20 mg once daily in adults, up to a maximum of 40 mg per day.",
    "ZOCOR is indicated as an adjunct to diet for the treatment of hypertension in adults and children 10 years of age and older.",
    "Reduce the dose to 5 mg every 12 hours if creatinine clearance is below 30 mL/min (see Table 2) [see Warnings (5.1)].",
    "ZOCOR is contraindicated in patients with active liver disease, anuria, or hypersensitivity to simvastatin (e.g., angioedema).",
    "Avoid ZOCOR with strong CYP3A4 inhibitors other than ketoconazole; if unavoidable, suspend ZOCOR during treatment.",
    "Do not use within 14 days of stopping MAOIs. Infants 28 days to 24 months of age: 5 to 10 mg/kg/day in 3 divided doses.",
    "8.6 Renal Impairment No dosage adjustment is needed in patients with mild renal impairment (CrCl 60 to 89 mL/min).",
    "口服。成人每次10mg,一日3次;儿童按体重5mg/kg。孕妇禁用。与华法林合用时应监测INR。",
)
TABLE = "<table><caption>Table 2: Dose</caption><tr><th>CrCl (mL/min)</th><th>Dose</th></tr><tr><td>30 to 60</td><td>10 mg once daily</td></tr><tr><td>&lt;30</td><td>Avoid</td></tr></table>"
PIECES = st.sampled_from(
    [
        *SENTENCES,
        *(w for s in SENTENCES for w in s.split()),
        *("28 days to 24 months", "from 9 to 3 years", "birth to", "<", "≥", "½", "1/0", "0 mg", "-5 mg", "1e9 mg", "99999999999999999999 mg", "0.00001 mg/kg/day", "12:30", "Day 0", "every 0 hours", "0 times a day"),
        *("\n", "\n\n", "• ", "\u2029", "\x00", "\x01", "\x1f", "\u202e", "\u200f", "\ufeff", "\ud800", "ﬁ", "\u0301", "\u00ad", "　", "１０ｍｇ", "<td>", "</table>", "<table>", "(", ")", "[", "]", "|", "#", "**"),
    ]
)  # fmt: skip
TEXTS = st.builds(
    lambda parts, cut, end: " ".join(parts)[cut:][: end or None], st.lists(PIECES | st.text(max_size=5), max_size=25), st.integers(0, 60), st.integers(0, 900)
)
TABLES = st.lists(st.sampled_from(["tr", "td", "th", "/tr", "/td", "/table", "table", "caption"]).map(lambda t: f"<{t}>") | PIECES, max_size=15).map(
    lambda parts: "<table>" + "".join(parts)
)


def proposals(made) -> Iterator[Proposal | Dropped]:
    for proposer in PROPOSERS:
        yield from proposer.propose(made.document, made.subject, made.lexicon)


def read_through(made) -> int:
    """Asks every proposer and checks every quote; how many proposals there were."""
    count = 0
    for proposal in proposals(made):
        count += 1
        if isinstance(proposal, Proposal):
            for span in proposal.claim.evidence:
                assert made.document.section(span.section).text[span.start : span.end] == span.quote
    return count


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(TEXTS, st.sampled_from(KEYS), st.lists(TABLES, max_size=2))
def test_no_proposer_raises_and_every_quote_stands(label, text, key, tables):
    read_through(label(text, key, tables=(*tables, TABLE)))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("mg children \ud800", "contraindications"),
        ("of clearance \ud800 with dose to \ud800", "indications_and_usage"),
    ],
)
def test_half_a_surrogate_pair_in_what_is_claimed_is_no_error(label, text, key):
    read_through(label(text, key))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES), st.integers(0, 120), st.integers(0, 120), st.sampled_from(KEYS))
def test_sentences_cut_and_run_together(label, first, second, at, behind, key):
    read_through(label(first[:at] + second[behind:] + " " + first[at:] + second[:behind], key))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(TEXTS, st.sampled_from(KEYS))
def test_the_same_text_gives_the_same_claims(label, text, key):
    once, again = ([p.claim.id for p in proposals(label(text, key)) if isinstance(p, Proposal)] for _ in range(2))
    assert once == again


def test_the_sentences_make_claims_of_every_kind(label):
    made = label(SENTENCES[0], KEYS[1], indications_and_usage=SENTENCES[1], contraindications=SENTENCES[3], drug_interactions=SENTENCES[4])
    said = {p.claim.predicate for p in proposals(made) if isinstance(p, Proposal)}
    assert {"has_dose_rule", "has_limit", "indicated_for", "contraindicated_in", "interacts_with"} <= said


HOSTILE = {
    "spaces": " ",
    "line ends": "\n",
    "words of one letter": "a ",
    "open brackets": "(((",
    "hyphens": "a-",
    "ranges": "1-1-1-",
    "slashes": "mg/mg/",
    "or": "or or or ",
    "patients in patients": "in patients in patients ",
    "clauses": "if the patient is taking ",
    "doses": "10 mg once daily, ",
    "partners": "warfarin, ",
    "advice": "avoid warfarin ",
    "headings": "2.1 Dosage ",
    "bullets": "• 10 mg daily in adults\n",
    "items of dots": "•\n",
    "references": "[see ",
    "markup": "<td>",
    "open tables": "<table><tr><td>",
    "ages": "age 2 to 12 years ",
    "uses": "indicated for hypertension ",
    "Chinese": "本品与",
    "Chinese list": "孕妇、",
    "Chinese doses": "每日3次，每次10mg，",
    "control characters": "\x01\x00",
    "bidirectional marks": "\u202e\u200f",
    "surrogates": "\ud800",
}
LENGTH = 12_000
SECONDS = 15.0
"""Of the processor, for all proposers together; a pattern that backtracks needs minutes or hours."""


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("key", ["dosage_and_administration", "drug_interactions", "contraindications", "indications_and_usage", "use_in_specific_populations"])
def test_hostile_text_costs_no_more_than_its_length(label, name, key):
    piece = HOSTILE[name]
    began = time.process_time()
    read_through(label(piece * (LENGTH // len(piece)), key))
    assert time.process_time() - began < SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("key", ["dosage_and_administration", "drug_interactions", "contraindications", "indications_and_usage", "use_in_specific_populations"])
def test_a_section_of_three_hundred_thousand_characters(label, key):
    piece = "\n\n".join(f"{i}.{j} Heading\n\n• {s}" for i in range(2, 4) for j, s in enumerate(SENTENCES[:7], 1)) + "\n\n"
    began = time.process_time()
    assert read_through(label(piece * (300_000 // len(piece)), key)) > 0
    assert time.process_time() - began < 20 * SECONDS


@pytest.mark.parametrize(
    "table",
    [
        pytest.param("<table>" + ("<tr>" + "<td>10 mg daily</td>" * 10 + "</tr>") * 500 + "</table>", id="5,000 cells"),
        pytest.param("<table><tr>" + "<td>10 mg</td>" * 2000 + "</tr></table>", id="one row"),
        pytest.param("<table><tr><td>" * 1000, id="never closed"),
        pytest.param("<table><tr><td rowspan='99999' colspan='99999'>10 mg</td></tr></table>", id="huge spans"),
        pytest.param("<table><tr><td rowspan='-1' colspan='x'>10 mg<td colspan='0'>b</table>", id="broken spans"),
        pytest.param("<table><tr><td>" * 200 + "10 mg" + "</td></tr></table>" * 200, id="tables in tables"),
    ],
)
@pytest.mark.parametrize("text", ["2 DOSAGE AND ADMINISTRATION See Table 1.", "in the text"])
def test_tables_that_no_label_prints(label, table, text):
    body = table.replace("<", " <") if text == "in the text" else text
    began = time.process_time()
    read_through(label(body, "dosage_and_administration", tables=(table,)))
    assert time.process_time() - began < 2 * SECONDS


def test_people_of_every_age_beside_another_group_are_read(label):
    text = "Avoid digoxin with ZOCOR in adults and pediatric patients or patients with asthma."
    assert [p.claim.predicate for p in proposals(label(text, "drug_interactions")) if isinstance(p, Proposal)] == ["interacts_with"]


def test_the_sentence_of_a_second_plan_is_evidence_too(label):
    text = "Avoid digoxin with ZOCOR. If the combination with digoxin is unavoidable, take ZOCOR at least 6 hours before digoxin."
    claims = [p.claim for p in proposals(label(text, "drug_interactions")) if isinstance(p, Proposal) and p.claim.predicate == "interacts_with"]
    assert [s.separate_hours for c in claims for s in c.payload.otherwise] == [6]
    assert "6 hours" in " ".join(s.quote for s in claims[0].evidence)
    assert "6 hours" not in claims[0].statement.quote
