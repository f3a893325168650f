"""What document metadata adds to the terminology: one row a product."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb_builder.ingest.classes import classes_of, nui_of
from ontology.model.identifiers import Code
from ontology.terms.entries import ProductRow
from ontology.text.document import Document, ProductInfo

Substances = tuple[tuple[str, str | None, str | None], ...]


def substances_of(product: ProductInfo) -> Substances:
    """The product's substances as the terminology takes them: name, UNII, RxCUI."""
    return tuple((s.name, s.unii, s.rxcui) for s in product.substances)


def label_substances(document: Document) -> Substances:
    """The substances of all the label's products, each once: what the label as a whole speaks of."""
    return tuple(dict.fromkeys(s for product in document.products for s in substances_of(product)))


def product_rows(judging: Document, older: Iterable[Document]) -> Iterator[ProductRow]:
    """The products of a label. Codes and brands of its older versions count too where the composition is the same."""
    superseded = [product for document in older for product in document.products]
    nui = nui_of(judging)
    for product in judging.products:
        same = [p for p in superseded if _is_same(p, product)]
        yield ProductRow(
            document=judging.set_id,
            generic_name=product.generic_name,
            brand_names=tuple(dict.fromkeys((*product.brand_names, *(b for p in same for b in p.brand_names)))),
            substances=substances_of(product),
            codes=_codes((product, *same)),
            routes=product.routes,
            form=product.form,
            classes=tuple((c.name, c.kind, nui) for c in classes_of(judging)) if len(product.substances) == 1 else (),
            strength=product.substances[0].strength if len(product.substances) == 1 else None,
        )


def _codes(products: Iterable[ProductInfo]) -> tuple[Code, ...]:
    return tuple(dict.fromkeys(code for product in products for code in product.codes))


def _is_same(one: ProductInfo, other: ProductInfo) -> bool:
    """True for the same composition in the same strengths, as far as both state them."""
    strengths = [{(s.name.casefold(), s.strength) for s in p.substances if s.strength} for p in (one, other)]
    return _composition(one) == _composition(other) and (not all(strengths) or strengths[0] == strengths[1])


def _composition(product: ProductInfo) -> frozenset[str]:
    return frozenset(s.name.casefold() for s in product.substances)
