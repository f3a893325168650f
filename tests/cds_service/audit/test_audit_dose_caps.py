"""A limit belongs to the drug whose dose the words name."""

from decimal import Decimal

from cds_service.audit.dose_caps import read_cap, read_cap_of
from ontology.model.quantities import Quantity, Unit

MG = Unit.of("mg")
TWO = "With letermovir the dose of atorvastatin should not exceed 20 mg daily and the dose of pitavastatin should not exceed 2 mg daily."


def mg(number: int) -> Quantity:
    return Quantity(Decimal(number), MG)


def test_of_two_limits_each_drug_has_its_own():
    assert read_cap_of(TWO, ("atorvastatin",)) == mg(20)
    assert read_cap_of(TWO, ("pitavastatin",)) == mg(2)


def test_a_limit_is_not_of_a_drug_that_is_only_taken_beside_it():
    assert read_cap_of("For patients taking amiodarone, do not exceed 20 mg daily.", ("amiodarone",)) is None


def test_an_amount_without_a_time_is_that_of_a_day_where_it_limits_the_partner():
    assert read_cap_of("Limit the coadministered dose of simvastatin to 20 mg.", ("simvastatin",)) == mg(20)
    assert read_cap("Limit the coadministered dose to 20 mg.") is None


def test_a_dose_that_is_recommended_for_the_pair_is_a_limit():
    assert read_cap("the recommended dose of this drug is 1 mg twice daily") == mg(2)
