"""What holds for any text: proposing never raises, every quote stands at its place, and a condition that is taken out changes the claim."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ontology.model.guards import leaves

WORDS = st.sampled_from(
    "ZOCOR|simvastatin|warfarin|digoxin|strong CYP3A4 inhibitors|other than|such as|(e.g.,|)|avoid|should be avoided|is contraindicated in|patients with|anuria|hypersensitivity to|monitor|dose|reduce the|not|no|interaction|with|unless|within 14 days of"
    "|stopping|in|children under 2 years of age|[see Warnings (5.1)]|( 7.1 )|7.1|7.2|Warfarin|Table 1|:|.|;|,|•|and|or|renal impairment|history of|≥ 65 years|禁用|与华法林合用|孕妇|。|；|\n|\n\n|### |" + "|<table><tr><td>|</td></tr></table>|®|½|ﬁ"
    .replace("\n", "\n")
)  # fmt: skip
TEXTS = st.lists(WORDS | st.text(max_size=6), max_size=30).map(" ".join)
KEYS = st.sampled_from(["contraindications", "drug_interactions", "warnings_and_cautions", "precautions", "dosage_and_administration", "boxed_warning"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, KEYS)
def test_never_raises_and_quotes_verbatim(label, text, key):
    made = label(text, key)
    for proposal in made.proposals():
        for span in proposal.claim.evidence:
            assert made.document.section(span.section).text[span.start : span.end] == span.quote
        if proposal.claim.object.system == "uncoded":
            assert proposal.claim.words
            assert [e.id for e in proposal.entities] == [proposal.claim.object]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS)
def test_the_same_text_gives_the_same_claims(label, text):
    assert [p.claim.id for p in label(text).proposals()] == [p.claim.id for p in label(text).proposals()]


RESTRICTED = [
    ("drug_interactions", "Avoid digoxin", " in patients with severe renal impairment", "."),
    ("drug_interactions", "Avoid digoxin", " except during transition", "."),
    ("drug_interactions", "Avoid strong CYP3A4 inhibitors", " other than ketoconazole", "."),
    ("drug_interactions", "Monitor patients given furosemide", " (> 80 mg IV)", "."),
    ("drug_interactions", "Do not use ZOCOR in patients taking", ", or within 14 days of stopping,", " MAOIs."),
    ("drug_interactions", "Avoid ZOCOR with digoxin", " at initiation", "."),
    ("contraindications", "ZOCOR is contraindicated in patients with bradycardia", " (unless a pacemaker is in place)", "."),
    ("contraindications", "ZOCOR", " at doses >5 mg/kg", " is contraindicated in patients with heart failure."),
    ("contraindications", "", "Severe ", "bradycardia."),
    ("contraindications", "", "History of ", "angioedema."),
    ("contraindications", "Renal impairment", " (creatinine clearance below 60 mL/min)", "."),
]


@pytest.mark.parametrize(("key", "before", "condition", "behind"), RESTRICTED)
def test_taking_a_condition_out_changes_the_claim(label, key, before, condition, behind):
    title = "7 DRUG INTERACTIONS " if key == "drug_interactions" else "4 CONTRAINDICATIONS "
    with_it = label(f"{title}{before}{condition}{behind}", key).proposals()
    without = label(f"{title}{before}{behind}", key).proposals()
    assert with_it
    assert without
    assert {p.claim.id for p in with_it}.isdisjoint(p.claim.id for p in without)
    assert all(leaves(p.claim.guard) for p in with_it)
