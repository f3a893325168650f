"""Which labels grade hepatic impairment by bilirubin."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pest_builders import flat, regimen, rule

from cds_service.audit.liver_grades import grades_by_bilirubin
from ontology.model.facts import Axis
from ontology.model.guards import Category, Guard

MODERATE = Category(Axis.HEPATIC, ("moderate",))


def said(quote: str, guard: Guard | None = MODERATE) -> Any:
    made = rule("r", regimen(flat("200")), guard)
    (claim,) = made.claims
    quoted = replace(made, claims=(replace(claim, evidence=(replace(claim.evidence[0], end=len(quote), quote=quote),)),))
    return cast(Any, SimpleNamespace(dossier=SimpleNamespace(rules=(quoted,)), _kept={}))


@pytest.mark.parametrize(
    ("quote", "by_it"),
    [
        ("Give 200 mg in moderate hepatic impairment (total bilirubin > 1.5 to 3 × ULN and any AST).", True),
        ("Avoid it in severe liver impairment [bilirubin above 3 times the upper limit of normal].", True),
        ("Give 200 mg in moderate hepatic impairment (Child-Pugh class B).", False),
        ("After moderate hepatotoxicity, once bilirubin is at most 1.5 x ULN, give 200 mg.", False),
    ],
)
def test_a_grade_with_its_bilirubin_in_brackets_is_one(quote: str, by_it: bool) -> None:
    assert grades_by_bilirubin(said(quote)) is by_it


def test_only_statements_on_hepatic_impairment_are_read() -> None:
    assert not grades_by_bilirubin(said("Moderate toxicity (bilirubin above 2 x ULN): give 200 mg.", None))
