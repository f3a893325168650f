"""How the labels of a drug grade hepatic impairment."""

from __future__ import annotations

import re

from cds_service.audit.knowledge import DossierView, once_a_view
from ontology.model.facts import Axis
from ontology.model.guards import Category, leaves

_BY_BILIRUBIN = re.compile(
    r"\b(?:mild|moderate|severe)\b[^.;()\[\]]{0,40}[(\[][^()\[\]]{0,80}?\bbilirubin\b[^()\[\]]{0,60}?(?:\bx?\s?uln\b|\bupper\s+limit\b|\(uln\))", re.IGNORECASE
)
"""A grade with bilirubin against its upper limit of normal in brackets behind it."""


@once_a_view
def grades_by_bilirubin(view: DossierView) -> bool:
    """True where a statement on a grade of hepatic impairment prints bilirubin in multiples of its upper limit of normal as what makes it."""
    rules = (r for r in view.dossier.rules if any(isinstance(leaf, Category) and leaf.axis is Axis.HEPATIC for leaf in leaves(r.guard)))
    return any(_BY_BILIRUBIN.search(span.quote) for rule in rules for claim in rule.claims for span in claim.evidence)
