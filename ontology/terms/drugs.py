"""Identity of drugs: from product and ingredient codes, and from whole names. There is no near match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ontology.model.entities import Entity, EntityType
from ontology.model.identifiers import Code, EntityId, mint
from ontology.terms.codes import code_keys
from ontology.terms.drug_names import Composition, collect_names
from ontology.terms.drug_text import DrugText, DrugTextReader, Segment
from ontology.terms.entries import TermData
from ontology.terms.identity import DrugIdentity, IngredientRef, UnidentifiedDrug
from ontology.terms.names import without_suffix
from ontology.terms.phrases import Key, phrase_key
from ontology.terms.plain_text import denying_signs, plain_text
from ontology.terms.vocabulary import Vocabulary

SUBSTANCES = frozenset({EntityType.INGREDIENT.value, EntityType.HERB.value})
_RELEASED = frozenset({"tablet", "capsule"})


def composition_id(ingredients: Composition) -> EntityId:
    """The subject of a composition: the ingredient itself, or the Drug made of the sorted ingredient codes."""
    if len(ingredients) == 1:
        return ingredients[0]
    return mint(EntityType.DRUG, "pharmgraph", "+".join(sorted(i.code for i in ingredients)))


@dataclass(frozen=True, slots=True)
class _Found:
    """A reading of codes or text: the composition and what else was said."""

    ingredients: Composition
    documents: tuple[str, ...] = ()
    form: str | None = None
    route: str | None = None
    strength: str | None = None


class DrugIndex:
    """Look-ups from codes and names to compositions."""

    def __init__(self, data: TermData, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._entities: dict[EntityId, Entity] = {e.id: e for e in data.entities if e.id.type in SUBSTANCES}
        self._products = data.products
        self._by_code: dict[str, EntityId] = {}
        for e in self._entities.values():
            for code in e.codes:
                self._by_code.setdefault(f"{code.system}:{code.value}", e.id)
        self._products_of: dict[str, tuple[int, ...]] = {}
        for number, product in enumerate(data.products):
            for code_key in product.codes:
                self._products_of[code_key] = (*self._products_of.get(code_key, ()), number)
        self._names = collect_names(data, self._entities)
        self._reader = DrugTextReader(self._names.meanings, data.words, self._names.salts_of(data))
        self._salts = {phrase_key(w.text) for w in data.words if w.table == "salt"}
        self._minerals = {w.text for w in data.words if w.table == "mineral"}
        herbs = [e for e in self._entities.values() if e.type == EntityType.HERB]
        self._chinese_herbs = {phrase_key(label.text) for e in herbs for label in e.labels if not label.text.isascii()}
        self._sold_alone = {phrase_key(w.text) for w in data.words if w.table == "sold-alone"}
        carriers = (self._names.one(w.text) for w in data.words if w.table == "carrier")
        self._carriers = {i for composition in carriers for i in composition or ()}
        supplements = (self._names.one(w.text) for w in data.words if w.table == "supplement")
        self._supplements = {i for composition in supplements for i in composition or ()}
        self._sold = {c for options in self._names.meanings.values() for c in options} | {p.ingredients for p in data.products}

    # -- identification

    def identify(self, codes: Sequence[Code], text: str | None) -> DrugIdentity | UnidentifiedDrug:
        """The drug that codes and text name together, or why none can be told."""
        shown = (text or "").strip()
        coded, matched = self._from_codes(codes)
        named, reading = self._from_text(shown) if shown else ("no-name", None)
        if coded:
            return self._coded(coded, matched, named, reading, shown)
        if isinstance(named, _Found):
            return self._identity(named, "name", shown, reading)
        fallback = shown or ", ".join(c.value for c in codes)
        candidates = self._names_of(named) if isinstance(named, set) else ()
        reason = "ambiguous" if isinstance(named, set) else named
        if reason == "no-name" and codes:
            reason = "unknown"
        return UnidentifiedDrug(fallback, reason, candidates)

    def _coded(
        self, coded: list[list[_Found]], matched: str, named: _Found | set[Composition] | str, reading: DrugText | None, shown: str
    ) -> DrugIdentity | UnidentifiedDrug:
        """The drug that all codes can mean; the text decides between several, and must not name another one."""
        options = [{f.ingredients for f in hits} for hits in coded]
        common = set.intersection(*options)
        every = set.union(*options)
        if isinstance(named, _Found):
            together = tuple(sorted({i for c in every for i in c}))
            ready_made = [c for c in common if set(named.ingredients) < set(c) <= {*named.ingredients, *self._carriers}]
            if named.ingredients in common or named.ingredients == together:
                chosen = named.ingredients
            elif len(ready_made) == 1:
                (chosen,) = ready_made
            else:
                return UnidentifiedDrug(shown, "conflict", self._names_of({named.ingredients, *every}))
        elif len(common) != 1:
            return UnidentifiedDrug(shown or matched, "ambiguous", self._names_of(common or every))
        else:
            (chosen,) = common
            others = self._others(reading, chosen) if reading else ()
            if named == "conflict" or others:
                return UnidentifiedDrug(shown, "conflict", self._names_of({chosen, *others}))
        hits = [f for hits in coded for f in hits if f.ingredients == chosen]
        documents = tuple(sorted({d for f in hits for d in f.documents}))
        found = _Found(chosen, documents, _only(f.form for f in hits), _only(f.route for f in hits), _only(f.strength for f in hits))
        return self._identity(found, "code", matched, reading)

    def _from_codes(self, codes: Sequence[Code]) -> tuple[list[list[_Found]], str]:
        """What each known code can mean, and the first known code as it was matched."""
        found: list[list[_Found]] = []
        matched = ""
        for code in codes:
            hits: list[_Found] = []
            for key in code_keys(code):
                products = [self._found_product(n) for n in self._products_of.get(key, ())]
                hits += products or ([_Found((self._by_code[key],))] if key in self._by_code else [])
                if hits and not matched:
                    matched = f"{key.split(':')[0]}:{code.value}"
            if hits:
                found.append(hits)
        return found, matched

    def _found_product(self, number: int) -> _Found:
        product = self._products[number]
        route = product.routes[0] if len(product.routes) == 1 else None
        return _Found(product.ingredients, (product.document,), product.form, route, product.strength)

    def _identity(self, found: _Found, how: str, matched: str, reading: DrugText | None) -> DrugIdentity:
        refs = tuple(self.ref(i) for i in found.ingredients)
        form, route, strength = self._said(reading) if reading else (None, None, None)
        return DrugIdentity(
            subject=composition_id(found.ingredients),
            name=" / ".join(sorted(r.name for r in refs)),
            ingredients=refs,
            how=how,
            matched=matched,
            documents=found.documents,
            form=form or found.form,
            route=route or found.route or self._vocabulary.route_of_form(form or found.form),
            strength=strength or found.strength,
        )

    def _said(self, reading: DrugText) -> tuple[str | None, str | None, str | None]:
        form = _only(reading.values("form"))
        release = _only(reading.values("release"))
        if form in _RELEASED and release:
            form = self._vocabulary.form(f"{release} {form}") or form
        return form, _only(reading.values("route")), reading.strength

    # -- reading of names

    def _from_text(self, text: str, *, one_product: bool = False) -> tuple[_Found | set[Composition] | str, DrugText | None]:
        text = plain_text(text)
        reading = self._reader.read(text)
        main, *brackets = reading.segments
        if denying_signs(text) or main.unread or any(s.unread and not s.names_a_maker for s in brackets):
            return "unknown", reading
        parts = [s for s in (main, *brackets) if s.names]
        if not parts:
            return ("unknown" if text else "no-name"), reading
        found: _Found | None = None
        doubtful: list[set[Composition]] = []
        for part in parts:
            one = self._compose(part, doubtful, one_product=one_product)
            if isinstance(one, set):
                return one, reading
            if one is None:
                continue
            found = one if found is None else self._join_bracket(found, one)
            if found is None:
                return "conflict", reading
        for options in doubtful:
            if found is None or found.ingredients not in options:
                return options, reading
        if found and self._may_be_a_formula(reading):
            return "unknown", reading
        return found or "unknown", reading

    def _may_be_a_formula(self, reading: DrugText) -> bool:
        """True for a dose form named after Chinese herbs that is not known to hold them alone: `天麻片` holds nine more."""
        herbs = [key for s in reading.segments for key in s.names if key not in self._names.brands and key in self._chinese_herbs]
        return bool(herbs) and bool(reading.values("form")) and not (len(herbs) == 1 and herbs[0] in self._sold_alone)

    def _compose(self, segment: Segment, doubtful: list[set[Composition]], *, one_product: bool) -> _Found | set[Composition] | None:
        """The composition a segment names: joined names add up; a brand beside its own ingredients is one name.

        Two brands that differ come back as a set, and so do the drugs of a list (`metformin, lisinopril`) that no product holds together. A name
        of several meanings is left to `doubtful`: what else is named must be one of them.
        """
        total: _Found | None = None
        listed: set[Composition] = set()
        for at, key in enumerate(segment.names):
            joined = bool(segment.joins[at])
            options = self._names.meanings[key]
            if len(options) > 1:
                doubtful.append(options)
                continue
            brand = self._names.fixed.get(key)
            one = _Found(next(iter(options)), (), brand.form if brand else None, brand.route if brand else None)
            if total is None:
                total = one
            elif joined or key not in self._names.brands:
                merged = tuple(sorted({*total.ingredients, *one.ingredients}))
                if segment.lists_drugs(at) and merged not in (total.ingredients, one.ingredients):
                    listed |= {total.ingredients, one.ingredients}
                total = _Found(merged, (), total.form or one.form, total.route or one.route)
            elif set(one.ingredients) >= set(total.ingredients):
                total = one
            elif not set(one.ingredients) <= set(total.ingredients):
                return {total.ingredients, one.ingredients}
        if total and listed and not one_product and not self._is_sold(total.ingredients):
            return listed
        return total

    def _is_sold(self, ingredients: Composition) -> bool:
        """True when one product holds the ingredients together: a name or a label says so, all but one are fluids, or all are vitamins and minerals."""
        return len(set(ingredients) - self._carriers) <= 1 or ingredients in self._sold or self._supplements.issuperset(ingredients)

    @staticmethod
    def _join_bracket(main: _Found, bracket: _Found) -> _Found | None:
        if set(bracket.ingredients) <= set(main.ingredients):
            return main
        if set(bracket.ingredients) >= set(main.ingredients):
            return _Found(bracket.ingredients, (), main.form or bracket.form, main.route or bracket.route)
        return None

    def _others(self, reading: DrugText, chosen: Composition) -> tuple[Composition, ...]:
        """What the text names that the chosen composition does not hold; fluids that drugs are given in do not count."""
        own = {*chosen, *self._carriers}
        named = (self._names.meanings[key] for s in reading.segments for key in s.names)
        return tuple(o for options in named if not any(own.issuperset(c) for c in options) for o in options)

    # -- substances

    def ref(self, ingredient: EntityId) -> IngredientRef:
        """The reference of an ingredient, with its RxCUI where known."""
        e = self._entities.get(ingredient)
        rxcui = ingredient.code if ingredient.system == "rxnorm" else next((c.value for c in e.codes if c.system == "rxnorm"), None) if e else None
        return IngredientRef(ingredient, e.name if e else str(ingredient), rxcui)

    def by_code(self, system: str, value: str | None) -> EntityId | None:
        """The ingredient that a code denotes, or None."""
        return self._by_code.get(f"{system}:{value}") if value else None

    def by_name(self, name: str) -> EntityId | None:
        """The one ingredient that a whole name denotes, with or without salt words; None when unknown or ambiguous."""
        for key in (phrase_key(name), self.base_key(name)):
            options = self._names.meanings.get(key, ())
            if len(options) == 1:
                composition = next(iter(options))
                if len(composition) == 1:
                    return composition[0]
        return None

    def composition(self, name: str) -> Composition | None:
        """The composition that the whole name of one product denotes, however its parts are joined, or None."""
        found, _ = self._from_text(name, one_product=True)
        return found.ingredients if isinstance(found, _Found) else None

    def base_key(self, name: str) -> Key:
        """The tokens of a substance name without the salt and hydrate words at its end; minerals keep theirs."""
        key = phrase_key(without_suffix(name))
        changed = True
        while changed and len(key) > 1:
            changed = False
            for length in range(min(4, len(key) - 1), 0, -1):
                if key[-length:] in self._salts and not self._minerals.issuperset(key[:-length]):
                    key, changed = key[:-length], True
                    break
        return key

    def _names_of(self, compositions: set[Composition]) -> tuple[str, ...]:
        return tuple(sorted(" / ".join(self.ref(i).name for i in c) for c in compositions if c))


def _only(values: Iterable[str | None]) -> str | None:
    distinct = {v for v in values if v}
    return distinct.pop() if len(distinct) == 1 else None
