"""Doses for less impairment than the sentence before has bounded."""

import pytest

from kb_builder.propose.dosage.proposer import DosageProposer
from ontology.model.facts import Axis
from ontology.model.guards import Interval, Opaque, leaves

BEFORE = "2 DOSAGE AND ADMINISTRATION ZOCOR is not recommended in patients with creatinine clearance {}. "


def guard(label, text):
    made = label(text, "dosage_and_administration")
    claims = [p.claim for p in DosageProposer().propose(made.document, made.subject, made.lexicon)]
    return claims[-1].guard


@pytest.mark.parametrize(("told", "open_"), [("<30 mL/min", False), ("of 30 mL/min or less", True)])
@pytest.mark.parametrize("words", ["lesser degrees of impairment", "less severe renal disease"])
def test_less_impairment_is_the_clearance_above_the_last_bound(label, told, open_, words):
    found = leaves(guard(label, BEFORE.format(told) + f"For patients with {words}, the initial dosage should be 2 mg once daily."))
    (value,) = [x for x in found if isinstance(x, Interval)]
    assert (value.axis, value.low, value.high, value.low_open) == (Axis.CRCL, 30, None, open_)
    assert not any(isinstance(x, Opaque) for x in found)


@pytest.mark.parametrize("told", ["of 30 to 60 mL/min", "above 30 mL/min"])
def test_the_words_stay_where_no_clearance_was_bounded_from_above(label, told):
    found = leaves(guard(label, BEFORE.format(told) + "For patients with lesser degrees of impairment, the initial dosage should be 2 mg once daily."))
    assert any(isinstance(x, Opaque) for x in found)


def test_other_words_beside_them_are_kept(label):
    text = BEFORE.format("<30 mL/min") + "For patients with less severe renal disease and fever, the initial dosage should be 2 mg once daily."
    assert any(isinstance(x, Opaque) for x in leaves(guard(label, text)))
