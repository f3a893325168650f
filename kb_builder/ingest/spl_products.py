"""The products of an SPL document, and the metadata sections that claims about them stand on, in openFDA's form.

Active are the ingredients of the classes ACTIB, ACTIM and ACTIR only; names are kept as the label writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from lxml import etree

from kb_builder.ingest.fields import loinc_of, table_rows, title_of
from kb_builder.ingest.spl_xml import H, attribute, child, children, local_name, words_of
from kb_builder.ingest.substances import MAX_SUBSTANCES, split_names
from ontology.model.identifiers import Code
from ontology.text.document import ProductInfo, Section, SubstanceInfo

NDC = "2.16.840.1.113883.6.69"
UNII = "2.16.840.1.113883.4.9"
ACTIVE = frozenset({"ACTIB", "ACTIM", "ACTIR"})
LISTED = "spl_product_data_elements"
EXCIPIENTS = "spl.inactive_ingredient"
EXCIPIENT_UNIIS = "spl.inactive_ingredient_unii"
_PRODUCTS = ("manufacturedProduct", "manufacturedMedicine")
_SUBSTANCES = ("ingredientSubstance", "activeIngredientSubstance", "inactiveIngredientSubstance")

Note = tuple[str | None, str, bool]
"""A field, what is said of it, and whether something of it was lost."""


@dataclass(frozen=True, slots=True)
class Ingredient:
    """One ingredient as listed."""

    name: str
    unii: str | None
    strength: str | None
    active: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """One listed product or part of a kit."""

    brand: str
    generic: str
    ndc: str | None
    form: str | None
    routes: tuple[str, ...]
    ingredients: tuple[Ingredient, ...]
    parts: tuple[Listed, ...] = ()

    def all_ingredients(self) -> Iterator[Ingredient]:
        """Its own ingredients and those of its parts."""
        yield from self.ingredients
        for part in self.parts:
            yield from part.all_ingredients()


def read_products(root: etree._Element) -> tuple[Listed, ...]:
    """All products the document lists, in document order."""
    outer = (p for subject in root.iter(f"{H}subject") for p in children(subject, *_PRODUCTS))
    return tuple(_listed(product) for product in outer)


def product_infos(set_id: str, listed: tuple[Listed, ...], notes: list[Note]) -> tuple[ProductInfo, ...]:
    """The products with what they contain: a kit's composition is that of its parts, without what only accompanies the drug."""
    infos = (_info(set_id, product, notes) for product in listed)
    return tuple(dict.fromkeys(info for info in infos if info is not None))


def metadata_sections(root: etree._Element, listed: tuple[Listed, ...], products: tuple[ProductInfo, ...]) -> tuple[Section, ...]:
    """The names of products, substances and excipients as sections, one name a line."""
    substances = tuple(dict.fromkeys((s.name, s.unii or "") for product in products for s in product.substances))
    excipients = tuple(dict.fromkeys((i.name, i.unii or "") for p in listed for i in p.all_ingredients() if not i.active))
    lines: dict[str, tuple[str, ...]] = {
        LISTED: tuple(name for subject in root.iter(f"{H}subject") for name in map(_name, subject.iter(f"{H}name")) if name),
        "openfda.substance_name": tuple(name for name, _ in substances),
        "openfda.unii": _paired(substances),
        "openfda.generic_name": _once(part.generic for part in _flat(listed) if any(i.active for i in part.all_ingredients()) or not part.ingredients),
        "openfda.brand_name": _once(brand for product in products for brand in product.brand_names),
        "openfda.route": _once(route for product in products for route in product.routes),
        EXCIPIENTS: tuple(name for name, _ in excipients),
        EXCIPIENT_UNIIS: _paired(excipients),
    }
    titles = {EXCIPIENTS: "Inactive ingredients as listed", EXCIPIENT_UNIIS: "Codes of the inactive ingredients as listed"}
    return tuple(Section(key, "\n".join(names), titles.get(key) or title_of(key), loinc_of(key)) for key, names in lines.items() if names)


def _flat(listed: tuple[Listed, ...]) -> Iterator[Listed]:
    for product in listed:
        yield product
        yield from _flat(product.parts)


def _paired(rows: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The codes line by line with the names, or none where one has no code."""
    return tuple(unii for _, unii in rows) if all(unii for _, unii in rows) else ()


def _once(names: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


def _listed(product: etree._Element, outer_routes: tuple[str, ...] = ()) -> Listed:
    """A product element, which may stand within another of its name that holds its routes."""
    within = next(children(product, *_PRODUCTS, "partProduct", "partMedicine"), None)
    routes = outer_routes + _routes(product)
    if within is not None:
        return _listed(within, routes)
    code = child(product, "code")
    return Listed(
        brand=_name(child(product, "name")),
        generic=words_of(
            next((name for g in product.iterchildren(f"{H}asEntityWithGeneric") if (name := child(g, "genericMedicine", "name")) is not None), None)
        ),
        ndc=attribute(code, "code") if attribute(code, "codeSystem") == NDC else None,
        form=attribute(child(product, "formCode"), "displayName"),
        routes=tuple(dict.fromkeys(routes)),
        ingredients=tuple(found for element in children(product, "ingredient", "activeIngredient", "inactiveIngredient") if (found := _ingredient(element))),
        parts=tuple(_listed(part) for part in children(product, "part")),
    )


def _name(element: etree._Element | None) -> str:
    """A name and its suffix, apart."""
    return " ".join(word for text in element.itertext() for word in str(text).split()) if element is not None else ""


def _routes(product: etree._Element) -> tuple[str, ...]:
    codes = (child(use, "substanceAdministration", "routeCode") for use in children(product, "consumedIn"))
    return tuple(route for code in codes if (route := attribute(code, "displayName")))


def _ingredient(element: etree._Element) -> Ingredient | None:
    substance = next(children(element, *_SUBSTANCES), None)
    name = words_of(child(substance, "name"))
    if not name:
        return None
    code = child(substance, "code")
    active = local_name(element) == "activeIngredient" or attribute(element, "classCode") in ACTIVE
    return Ingredient(name, attribute(code, "code") if attribute(code, "codeSystem") == UNII else None, _strength(element), active)


def _strength(element: etree._Element) -> str | None:
    """`25 mg`, `6.25 mg/5 mL`, `5 mg/mL`; None where no amount is given."""
    above, below = child(element, "quantity", "numerator"), child(element, "quantity", "denominator")
    amount = _amount(above)
    if amount is None:
        return None
    per, unit = attribute(below, "value"), attribute(below, "unit")
    if unit is None or unit == "1":
        return amount if per in (None, "1") else f"{amount}/{per}"
    return f"{amount}/{unit}" if per in (None, "1") else f"{amount}/{per} {unit}"


def _amount(quantity: etree._Element | None) -> str | None:
    value, unit = attribute(quantity, "value"), attribute(quantity, "unit")
    if value is None:
        return None
    return value if unit is None or unit == "1" else f"{value} {unit}"


def _info(set_id: str, product: Listed, notes: list[Note]) -> ProductInfo | None:
    parts = _drug_parts(product, notes)
    actives = [i for part in parts for i in part.ingredients if i.active]
    where = product.ndc or product.brand or product.generic or "a product"
    substances = _substances(actives)
    if not substances:
        named = "" if any(True for _ in product.all_ingredients()) else product.generic
        substances = tuple(SubstanceInfo(name) for name in split_names(named))
        if not substances:
            notes.append(("products", f"{where}: no active ingredient is listed, so it stands for no drug", False))
            return None
        notes.append(("products", f"{where}: no ingredient is listed; read from its generic name {product.generic!r}", False))
    if len(substances) > MAX_SUBSTANCES:
        notes.append(
            ("openfda.substance_name", f"{where}: {len(substances)} substances in one product, more than {MAX_SUBSTANCES}: composition left out", True)
        )
        return None
    codes = [Code("setid", set_id)] + [Code("ndc", p.ndc) for p in (product, *parts) if p.ndc]
    return ProductInfo(
        generic_name=product.generic or " / ".join(_once(p.generic for p in parts) or [s.name for s in substances]),
        substances=substances,
        brand_names=(product.brand,) if product.brand else (),
        codes=tuple(dict.fromkeys(codes)),
        routes=tuple(dict.fromkeys(route for part in parts for route in part.routes)) or product.routes,
        form=product.form,
    )


def _substances(actives: list[Ingredient]) -> tuple[SubstanceInfo, ...]:
    """Each substance once; its strength where it has one only (the parts of a kit may differ)."""
    strengths: dict[tuple[str, str | None], set[str | None]] = {}
    for active in actives:
        strengths.setdefault((active.name, active.unii), set()).add(active.strength)
    return tuple(SubstanceInfo(name, unii, None, next(iter(found)) if len(found) == 1 else None) for (name, unii), found in strengths.items())


def _drug_parts(product: Listed, notes: list[Note]) -> list[Listed]:
    """The product and its parts that hold a drug; swabs and diluents of a kit only where it holds nothing else."""
    parts = [p for p in _flat((product,)) if any(i.active for i in p.ingredients)]
    drugs = [p for p in parts if not all(i.name.casefold() in _accessories() for i in p.ingredients if i.active)]
    if not drugs:
        return parts
    for left in (p for p in parts if p not in drugs):
        names = ", ".join(i.name for i in left.ingredients if i.active)
        notes.append(("products", f"{product.ndc or product.brand}: {names} only accompanies the drug of the kit and is no part of its composition", False))
    return drugs


@cache
def _accessories() -> frozenset[str]:
    return frozenset(row["name"].casefold() for row in table_rows("kit_accessories.tsv"))
