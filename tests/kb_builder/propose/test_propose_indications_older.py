"""Indications as labels without numbered subsections word them: adjuncts, uses in a state that the sentence opens with, what only sounds like a use."""

from __future__ import annotations

import pytest

from kb_builder.propose.indications.proposer import IndicationProposer
from ontology.model.claims import Claim
from ontology.model.guards import leaves


def claims(label, text: str) -> dict[str, Claim]:
    made = label(text, "indications_and_usage")
    return {p.claim.words: p.claim for p in IndicationProposer().propose(made.document, made.subject, made.lexicon)}


def limits(claim: Claim) -> list[str]:
    return [getattr(leaf, "text", str(leaf)) for leaf in leaves(claim.guard)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZOCOR is a useful adjunct for the relief of back spasm and chorea.", ["back spasm", "chorea"]),
        ("Oral ZOCOR may be used adjunctively in epilepsy.", ["epilepsy"]),
        ("In acute opioid withdrawal, ZOCOR may be useful in the relief of tremor.", ["tremor in acute opioid withdrawal"]),
        ("In severe rosacea, ZOCOR may be useful adjunctive therapy.", ["severe rosacea"]),
        ("ZOCOR is indicated for panic disorder (PD), with or without vertigo.", ["panic disorder, with or without vertigo"]),
        ("ZOCOR is indicated for regional anesthesia for surgery and for acute pain management.", ["regional anesthesia for surgery", "acute pain"]),
        ("ZOCOR is indicated for late disease (partial disease, presenting after the first year of life).", ["late disease"]),
        ("ZOCOR is indicated for early-onset asthma (severe narrowing, presenting in the first year of life).", ["early-onset asthma"]),
        ("It is indicated for depression accompanied by tension or agitation.", ["depression accompanied by tension", "depression accompanied by agitation"]),
        ("ZOCOR is indicated: a) in the treatment of gout; and b) in the treatment of patients with asthma who cannot rest.", ["gout", "asthma"]),
        ("ZOCOR is indicated for the following: Chronic cystitis Optic neuritis Renal colitis.", ["chronic cystitis", "optic neuritis", "renal colitis"]),
        ("ZOCOR is indicated for: To tide the patient over a bad time of the disease in: Gastric ulcer Gout.", ["gastric ulcer", "gout"]),
        ("ZOCOR is indicated for the following: Bacterial cystitis Caused by", ["bacterial cystitis"]),
        ("ZOCOR is indicated for stroke (presenting within 3 hours).", ["stroke (presenting within 3 hours)"]),
        ("ZOCOR is indicated for spasms due to trauma, edema due to gout, and chorea.", ["spasms due to trauma", "edema due to gout", "chorea"]),
    ],
)  # fmt: skip
def test_uses(label, text, expected):
    assert [words.lower() for words in claims(label, text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Diet alone may be effective in controlling hypertension.",
        "ZOCOR has not been definitely shown to be effective in preventing late complications.",
        "Proper diet alone may be effective in controlling hypertension.",
        "Given by any route, neither ZOCOR nor any other statin has been shown in controlled trials to be safe or effective in the treatment of heart failure.",
        "In randomized comparative studies, ZOCOR and niacin were comparably safe and effective in the treatment of gout.",
        "Therefore, when ZOCOR for Injection, USP is used in the treatment of gout, cover should be added.",
        "In angina, ZOCOR has been effective in controlled trials of up to eight weeks in increasing tolerance of exercise.",
        "Take 1 pouch three times a day after a meal.",
        "In patients with asthma, rest as indicated should be continued.",
        "In depressed patients, ZOCOR and niacin were equally effective in relieving depression.",
        "In considering ZOCOR, it should be recognized that control of diabetes has not been definitely established to be effective in preventing stroke.",
        "ZOCOR is indicated for use in a small and carefully chosen group.",
    ],
)
def test_no_use(label, text):
    assert claims(label, text) == {}


def test_an_adjunct_stays_an_adjunct(label):
    said = claims(label, "In severe rosacea, ZOCOR may be a useful adjunct to antibiotics. ZOCOR may be used adjunctively in epilepsy.")
    assert limits(said["severe rosacea"]) == ["be a useful adjunct to antibiotics"]
    assert limits(said["epilepsy"]) == ["adjunctively"]


def test_what_a_clause_concedes_restricts_nothing(label):
    said = claims(label, "ZOCOR may be used adjunctively in epilepsy, although it has not proved useful as the sole therapy.")
    assert limits(said["epilepsy"]) == ["adjunctively"]


def test_a_use_in_a_state_is_not_the_known_symptom_alone(label):
    said = claims(label, "In acute opioid withdrawal, ZOCOR may be useful in the relief of hypertension.")
    assert said["hypertension in acute opioid withdrawal"].object.system == "uncoded"
