"""Rows of a table that give single points of an axis."""

from __future__ import annotations

from pest_builders import age, condition, crcl, flat, regimen, rule, statement

from cds_service.audit.pest.points import widened
from ontology.model.guards import AllOf, Guard


def reached(*guards: Guard | None) -> list[Guard | None]:
    return [s.rule.guard for s in widened(statement(rule(str(i), regimen(flat(str(i + 1))), g)) for i, g in enumerate(guards))]


def test_each_row_reaches_to_its_neighbours_points() -> None:
    low, middle, high = reached(crcl("20", "20"), crcl("40", "40"), crcl("60", "60"))
    assert low == crcl("20", "40", high_open=True)
    assert middle == crcl("20", "60", low_open=True, high_open=True)
    assert high == crcl("40", "60", low_open=True)


def test_rows_may_stand_in_any_order() -> None:
    assert reached(crcl("60", "60"), crcl("20", "20")) == [crcl("20", "60", low_open=True), crcl("20", "60", high_open=True)]


def test_a_single_point_stays_a_point() -> None:
    assert reached(crcl("20", "20"), crcl("30", "50")) == [crcl("20", "20"), crcl("30", "50")]


def test_what_stands_beside_the_point_stays() -> None:
    first, _ = reached(AllOf((age("18"), crcl("20", "20"))), AllOf((age("18"), crcl("40", "40"))))
    assert first == AllOf((age("18"), crcl("20", "40", high_open=True)))


def test_rows_for_other_patients_are_another_table() -> None:
    mine, other = AllOf((age("18"), crcl("20", "20"))), AllOf((age("65"), crcl("40", "40")))
    assert reached(mine, other) == [mine, other]


def test_rows_for_another_use_are_another_table() -> None:
    made = [statement(rule(u, regimen(flat("1")), crcl(p, p), of=condition(u))) for u, p in (("gout", "20"), ("pain", "40"))]
    assert [s.rule.guard for s in widened(made)] == [crcl("20", "20"), crcl("40", "40")]


def test_rules_without_points_are_left_alone() -> None:
    assert reached(None, crcl("30", "50")) == [None, crcl("30", "50")]


def test_a_table_of_two_axes_reaches_along_both() -> None:
    def cell(clearance: str, years: str) -> AllOf:
        return AllOf((age(years, years), crcl(clearance, clearance)))

    first, *_ = reached(*(cell(c, a) for c in ("20", "40") for a in ("30", "60")))
    assert first == AllOf((age("30", "60", high_open=True), crcl("20", "40", high_open=True)))
