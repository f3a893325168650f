"""A phrase that restricts a statement is in the guard of its claim: taken out, the claim changes. Frames of every kind times phrases on every axis."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kb_builder.propose.protocol import Proposal
from kb_builder.propose.registry import PROPOSERS
from ontology.model.claims import Claim

FRAMES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "dose": (
        "dosage_and_administration",
        "has_dose_rule",
        (
            "The recommended dose{} is 20 mg once daily.",
            "The starting dose of ZOCOR{} is 10 mg twice daily.",
            "Take 40 mg once daily{}.",
            "Reduce the dose to 5 mg once daily{}.",
            "Tablets may be crushed.\n\nThe usual dose is 15 mg every 8 hours{}. Swallow tablets whole.",
        ),
    ),
    "limit": ("dosage_and_administration", "has_limit", ("The maximum dose{} is 40 mg per day.", "Do not exceed 20 mg daily{}.")),
    "state": (
        "contraindications",
        "contraindicated_in",
        ("ZOCOR is contraindicated in patients with bradycardia{}.", "Do not use ZOCOR in patients with heart failure{}."),
    ),
    "pair": (
        "drug_interactions",
        "interacts_with",
        ("Avoid digoxin with ZOCOR{}.", "Concomitant use of warfarin{} is not recommended.", "Monitor digoxin levels when ZOCOR is given with digoxin{}."),
    ),
    "use": ("indications_and_usage", "indicated_for", ("ZOCOR is indicated for the treatment of hypertension{}.", "ZOCOR is used to treat heart failure{}.")),
    "people": (
        "use_in_specific_populations",
        "population_advice",
        ("Avoid use of ZOCOR in patients with renal impairment{}.", "ZOCOR is not recommended in patients with hepatic impairment{}."),
    ),
}
PHRASES: tuple[tuple[str, str], ...] = (
    (" in adults", "dose limit use pair"),
    (" in children 6 years of age and older", "dose limit use pair"),
    (" in pediatric patients aged 2 to 12 years", "dose limit use pair state"),
    (" in patients younger than 6 months", "dose limit use pair state"),
    (" for patients over 65 years of age", "dose limit use pair"),
    (" in adolescents", "dose limit use pair"),
    (" in premature infants", "dose limit"),
    (" in neonates with a gestational age below 32 weeks", "dose limit pair"),
    (" in patients weighing less than 50 kg", "dose limit state pair use people"),
    (" for children who weigh at least 30 kg", "dose limit use"),
    (" in patients with a body surface area of 1.5 m2 or more", "dose limit"),
    (" in women", "dose limit pair use"),
    (" in postmenopausal women", "dose limit pair use"),
    (" in pregnant women", "dose limit pair"),
    (" during the third trimester of pregnancy", "dose limit pair"),
    (" in women who are breastfeeding", "dose limit pair"),
    (" in patients with creatinine clearance below 30 mL/min", "dose limit pair state use people"),
    (" if eGFR is less than 45 mL/min/1.73 m2", "dose limit pair state people"),
    (" in patients with severe renal impairment", "dose limit pair"),
    (" in patients on hemodialysis", "dose limit pair"),
    (" in patients with serum creatinine above 2 mg/dL", "dose limit pair state"),
    (" in end-stage renal disease", "dose limit pair"),
    (" in patients with Child-Pugh class C cirrhosis", "dose limit pair"),
    (" in patients with moderate hepatic impairment", "dose limit pair"),
    (" if ALT exceeds 3 times the upper limit of normal", "dose limit pair state people"),
    (" in CYP2D6 poor metabolizers", "dose limit pair"),
    (" in patients who are homozygous for HLA-B*1502", "dose limit pair"),
    (" in patients of East Asian descent", "dose limit pair"),
    (" when taken with ketoconazole", "dose limit people"),
    (" in patients taking strong CYP3A4 inhibitors", "dose limit people"),
    (" in patients who also receive gemfibrozil", "dose limit people"),
    (" in combination with methotrexate", "dose limit use"),
    (" in patients taking more than 80 mg of furosemide per day", "dose limit"),
    (" in patients taking strong CYP3A4 inhibitors other than ketoconazole", "dose limit"),
    (" in patients who previously received warfarin", "dose limit use"),
    (" in treatment-naive patients", "dose limit use"),
    (" after failure of methotrexate", "dose limit use"),
    (" within 14 days of stopping phenytoin", "dose limit people"),
    (" in patients with a history of angioedema", "dose limit pair use state people"),
    (" in patients who have had a myocardial infarction", "dose limit pair use state"),
    (" in patients with asthma", "dose limit pair use people"),
    (" in patients at high risk of bleeding", "dose limit pair use people"),
    (" in debilitated patients", "dose limit pair people"),
    (" in hospitalized patients", "dose limit pair use"),
    (" in smokers", "dose limit"),
    (" if serum potassium is above 5.5 mEq/L", "dose limit pair state people"),
    (" when the platelet count is below 50,000/mm3", "dose limit pair state"),
    (" if INR is greater than 3", "dose limit pair"),
    (" unless a pacemaker is in place", "state pair"),
    (" except in patients with severe infection", "dose limit pair state people"),
    (" if symptoms persist", "dose limit"),
    (" when oral therapy is not possible", "dose limit use"),
    (" if the response is inadequate after 4 weeks", "dose limit"),
    (" if a grade 3 adverse reaction occurs", "dose limit"),
    (" at doses above 40 mg", "pair people state"),
    (" at initiation of therapy", "pair"),
)


def cases() -> Iterator[tuple[str, str, str, str]]:
    for phrase, kinds in PHRASES:
        for kind in kinds.split():
            key, predicate, frames = FRAMES[kind]
            yield from ((key, predicate, frame, phrase) for frame in frames)


CASES = tuple(cases())


@pytest.fixture
def claims(label):
    def propose(text: str, key: str, predicate: str) -> list[Claim]:
        made = label(text, key)
        found = [p for proposer in PROPOSERS for p in proposer.propose(made.document, made.subject, made.lexicon)]
        return [p.claim for p in found if isinstance(p, Proposal) and p.claim.predicate == predicate]

    return propose


@pytest.mark.parametrize(("key", "predicate", "frame", "phrase"), CASES, ids=[f"{p}:{f.format(s).split('.')[0][:90]}" for _, p, f, s in CASES])
def test_taking_the_phrase_out_changes_the_claim(claims, key, predicate, frame, phrase):
    restricted, plain = claims(frame.format(phrase), key, predicate), claims(frame.format(""), key, predicate)
    assert plain, "the sentence makes a claim without its phrase"
    assert {c.id for c in restricted}.isdisjoint(c.id for c in plain)
    last = phrase.split()[-1]
    assert all(c.guard is not None or (predicate == "contraindicated_in" and last in (c.words or "")) for c in restricted)


def test_the_frames_and_phrases_are_many():
    assert len(CASES) >= 150
    assert {predicate for _, predicate, _, _ in CASES} == {predicate for _, predicate, _ in FRAMES.values()}
