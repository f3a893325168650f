"""What a label covers: the scope that its claims get where the statement itself sets none."""

from __future__ import annotations

from dataclasses import replace

from ontology.model.claims import Claim, Edge, Scope
from ontology.model.identifiers import EntityId
from ontology.terms.terminology import Terminology
from ontology.text.document import Document


def label_scope(document: Document, ingredients: tuple[EntityId, ...], terminology: Terminology) -> Scope:
    """Ingredients, routes and forms of a label's products, canonical where the terminology knows the word."""
    routes = {terminology.route(text) or text.casefold() for product in document.products for text in product.routes}
    forms = {terminology.form(product.form) or product.form.casefold() for product in document.products if product.form}
    return Scope(tuple(sorted(ingredients)), tuple(sorted(routes)), tuple(sorted(forms)))


def scoped(claim: Claim, scope: Scope) -> Claim:
    """The claim within its label's scope; what the claim limits itself stays, a pure edge has none."""
    if isinstance(claim.payload, Edge):
        return claim
    own = claim.scope
    full = Scope(own.ingredients or scope.ingredients, own.routes or scope.routes, own.forms or scope.forms, own.brands or scope.brands)
    return claim if full == own else replace(claim, scope=full)
