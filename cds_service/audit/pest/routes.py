"""Which statements of a label speak for the route that is ordered, and the dose question by each route where the order names none.

A label of an injection may tell how it is given by mouth, and one label may hold an intravenous and a subcutaneous schedule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import structs

from cds_service.audit.checks.protocol import Case
from cds_service.audit.clinical import table
from cds_service.audit.evidence import Statement
from cds_service.audit.roster import Medication, describe


def of_the_route(statements: Iterable[Statement], route: str | None) -> list[Statement]:
    """The statements without those for other routes alone, where some are for the very route that is ordered.

    An order that names no route keeps all of them, and so does one by a route that labels name in several ways.
    """
    listed = list(statements)
    if route not in _told_apart() or not any(route in s.claims[0].routes for s in listed):
        return listed
    return [s for s in listed if route in s.claims[0].routes or not _only_others(s)]


def is_for_other_routes(statement: Statement, route: str | None) -> bool:
    """True for what a label of the ordered route and of others says of one of the others alone ("the intravenous form should not be used")."""
    label, routes = statement.choice.label, statement.claims[0].routes
    return statement.chosen and label is not None and bool(routes) and route in label.routes and route not in routes


def by_each_route(case: Case, medication: Medication) -> Iterator[Medication]:
    """The order as it would be by each route that its label doses; none where the order, or its form, says the route.

    Without a form too, the other labels of its ingredients count: which one judges the order hangs on the route.
    """
    order, drug = medication.order, medication.drug
    if medication.route is not None or len(medication.views) != 1 or medication.borrowed:
        return
    formless = (order.form or drug.form) is None
    chosen = medication.choices[0].label
    view = medication.views[0]
    claims = (c for rule in view.doses for c in rule.claims if formless or (chosen is not None and c.document == chosen.document))
    for route in sorted({r for c in claims for r in c.routes} & _told_apart()):
        by_it = describe(structs.replace(order, route=route), drug, case.knowledge)
        yield by_it if by_it.choices and by_it.choices[0].label is not None else structs.replace(medication, route=route)


def _only_others(s: Statement) -> bool:
    """True when the statement names its routes, each of which is no other name for another one."""
    routes = s.claims[0].routes
    return bool(routes) and _told_apart().issuperset(routes)


@cache
def _told_apart() -> frozenset[str]:
    return frozenset(table("doses")["routes"]["told_apart"])
