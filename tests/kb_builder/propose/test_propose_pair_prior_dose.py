"""What is asked of those whose dose was lowered before asks for an earlier order of the product."""

from ontology.model.facts import Whose
from ontology.model.guards import Exposure, Opaque, leaves


def guard_of(label, text):
    return label(f"7 DRUG INTERACTIONS {text}").claim("strong cyp3a4 inhibitor").guard


def test_a_dose_lowered_before_asks_for_an_earlier_order(label):
    found = leaves(
        guard_of(
            label,
            "In patients who have had a dose reduction to 10 mg daily due to adverse reactions, further reduce the ZOCOR dose to 5 mg with strong CYP3A4 inhibitors.",
        )
    )
    assert [(x.target.code, x.whose) for x in found if isinstance(x, Exposure)] == [("simvastatin", Whose.PARTNER)]
    assert any(isinstance(x, Opaque) for x in found)


def test_a_dose_that_is_to_be_lowered_asks_for_none(label):
    guard = guard_of(label, "In patients with recommended starting doses of 20 mg, reduce the ZOCOR dose to 10 mg with strong CYP3A4 inhibitors.")
    assert not [x for x in leaves(guard) if isinstance(x, Exposure) and x.target.code == "simvastatin"]
