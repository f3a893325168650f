"""What a label covers: the scope that its claims get where the statement itself sets none, and the brands it is of."""

from __future__ import annotations

import re
from dataclasses import replace

from ontology.model.claims import Claim, Edge, Scope
from ontology.model.identifiers import EntityId
from ontology.terms.terminology import Terminology
from ontology.text.document import Document, ProductInfo

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 5  # letters of a word by which a brand names a substance


def label_scope(document: Document, ingredients: tuple[EntityId, ...], terminology: Terminology) -> Scope:
    """Ingredients, routes and forms of a label's products, canonical where the terminology knows the word."""
    routes = {terminology.route(text) or text.casefold() for product in document.products for text in product.routes}
    forms = {terminology.form(product.form) or product.form.casefold() for product in document.products if product.form}
    return Scope(tuple(sorted(ingredients)), tuple(sorted(routes)), tuple(sorted(forms)))


def proprietary_names(document: Document) -> frozenset[str]:
    """The brands of a label's products, in lower case; a brand that names a substance of the product is only its generic name with more words."""
    return frozenset(brand.casefold() for product in document.products for brand in product.brand_names if not _words(brand) & _substance_words(product))


def _substance_words(product: ProductInfo) -> set[str]:
    return {word for name in (product.generic_name, *(s.name for s in product.substances)) for word in _words(name)}


def _words(name: str) -> set[str]:
    return {word for word in _WORD.findall(name.casefold()) if len(word) >= _SHORTEST}


def scoped(claim: Claim, scope: Scope) -> Claim:
    """The claim within its label's scope; what the claim limits itself stays, a pure edge has none."""
    if isinstance(claim.payload, Edge):
        return claim
    own = claim.scope
    full = Scope(own.ingredients or scope.ingredients, own.routes or scope.routes, own.forms or scope.forms, own.brands or scope.brands)
    return claim if full == own else replace(claim, scope=full)
