"""Which columns of a label speak for the form that is ordered: immediate-release solids, extended release, liquids, injections."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from cds_service.audit.clinical import table
from cds_service.audit.evidence import Statement
from cds_service.audit.roster import Medication


def of_the_form(statements: Iterable[Statement], medication: Medication) -> list[Statement]:
    """The statements without those for another kind of form, where some are for the very kind that is ordered.

    An order that names no form keeps all of them.
    """
    listed = list(statements)
    ordered = _kind_in(" ".join((medication.order.form or medication.drug.form or "", medication.words)))
    kinds = [_kinds(s.claims[0].forms) for s in listed]
    if ordered is None or not any(ordered in k for k in kinds):
        return listed
    return [s for s, k in zip(listed, kinds, strict=True) if not k or ordered in k]


def _kinds(forms: tuple[str, ...]) -> frozenset[str]:
    return frozenset(k for f in forms if (k := _kind(f)) is not None)


@cache
def _rows() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((row["kind"], tuple(row["words"])) for row in table("doses")["form"])


@cache
def _kind(form: str) -> str | None:
    """The kind of a label's form."""
    return _kind_in(form)


def _kind_in(text: str) -> str | None:
    """The kind of the first row of which a word stands in the text."""
    said = f" {text.casefold().replace(',', ' ')} "
    return next((kind for kind, words in _rows() if any(f" {w}" in said for w in words)), None)
