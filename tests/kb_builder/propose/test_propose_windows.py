"""A window of time is that of the drug it names, and what restricts a partner or a list restricts all of it."""

from decimal import Decimal

from ontology.model.facts import Axis
from ontology.model.guards import AnyOf, Exposure, Opaque, leaves


def window(label, text, name="mao inhibitors"):
    """(whose, days) of the window in the guard of the claim about a partner; None without one."""
    guard = label(f"7 DRUG INTERACTIONS {text}").claim(name).guard
    assert guard is None or isinstance(guard, AnyOf)
    return next(((leaf.whose.value, leaf.within_days) for leaf in leaves(guard) if isinstance(leaf, Exposure) and leaf.within_days), None)


def test_a_window_is_of_the_drug_behind_it(label):
    text = "Do not use digoxin or MAO inhibitors, or within 14 days of stopping MAO inhibitors, with ZOCOR."
    assert window(label, text) == ("partner", Decimal(14))
    assert window(label, text, "digoxin") is None


def test_a_window_after_the_product_is_of_the_patients_own_use(label):
    assert window(label, "Do not use MAO inhibitors within 5 weeks of stopping ZOCOR.") == ("subject", Decimal(35))
    assert window(label, "Avoid digoxin during and for 2 weeks after treatment with ZOCOR.", "digoxin") == ("subject", Decimal(14))


def test_a_high_dose_of_a_partner_is_kept(label):
    assert label("7 DRUG INTERACTIONS Avoid use of ZOCOR with high-dose methotrexate.").claim("methotrexate").guard == Opaque("high-dose methotrexate")


def test_an_age_holds_for_every_member_of_the_list_behind_it(label):
    text = "4 CONTRAINDICATIONS ZOCOR is contraindicated in patients younger than 18 years who have had tonsillectomy or adenoidectomy."
    claims = [p.claim for p in label(text, "contraindications").proposals() if p.claim.predicate == "contraindicated_in"]
    assert len(claims) == 2
    assert all(Axis.AGE in {getattr(leaf, "axis", None) for leaf in leaves(c.guard)} for c in claims)


def test_what_holds_after_the_other_drug_stands_beside_what_holds_with_it(label):
    text = "4 CONTRAINDICATIONS ZOCOR is contraindicated in patients taking, or within 14 days of stopping, MAO inhibitors."
    both = label(text, "contraindications", drug_interactions="7 DRUG INTERACTIONS ZOCOR is contraindicated in patients taking MAO inhibitors.")
    guards = [p.claim.guard for p in both.proposals() if p.claim.predicate == "interacts_with"]
    assert any(isinstance(leaf, Exposure) and leaf.within_days == Decimal(14) for guard in guards for leaf in leaves(guard))
