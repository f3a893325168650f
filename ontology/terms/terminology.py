"""The terminology: one object over hand-kept terms and the overlay, with every look-up the builder and the service need.

It is immutable; `with_products` gives a new one. Names are compared as keys (`ontology.terms.names.name_key`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path

from ontology.model.entities import Entity, EntityType
from ontology.model.guards import Truth
from ontology.model.identifiers import Code, EntityId, mint_uncoded, normal_words
from ontology.terms.additions import AdditionsReport, compile_additions
from ontology.terms.allergen_text import allergen_parts
from ontology.terms.codes import code_keys
from ontology.terms.concepts import ConceptIndex
from ontology.terms.drugs import DrugIndex, composition_id
from ontology.terms.entries import EdgeRow, LabTerm, ProductRow, TermData, TermFile
from ontology.terms.identity import ConceptMatch, DrugIdentity, IngredientRef, UnidentifiedDrug
from ontology.terms.known import Known
from ontology.terms.labs import lab_index
from ontology.terms.loaded import LoadedTerms
from ontology.terms.loaded_index import LoadedConceptIndex, LoadedDrugIndex
from ontology.terms.names import name_key
from ontology.terms.overlay import Substance, class_name, compile_overlay, resolve_substances
from ontology.terms.remembered import Remembered
from ontology.terms.rows import read_rows, write_rows
from ontology.terms.shipped import shipped_data
from ontology.terms.site_classes import add_site_classes
from ontology.terms.terms_file import TermsFile
from ontology.terms.vocabulary import Vocabulary

_ALLERGEN_TYPES = (EntityType.INGREDIENT, EntityType.DRUG_CLASS, EntityType.ALLERGEN, EntityType.FOOD)

_MOST_DRUGS = 8192
_LONGEST_KEPT = 100
"""Characters: orders name the same products again and again, in texts that are short; a longer one may say more than a product."""
_MOST_PROBLEMS = 8192
_LONGEST_PROBLEM = 80
"""Characters of a problem's title and codes together; a longer one may say more than a problem."""


class Terminology:
    """Codes and names to entities and back; hierarchies; routes and forms."""

    def __init__(self, data: TermData, loaded: LoadedTerms | None = None) -> None:
        """`loaded` is the table of loaded terms that is asked for what the content does not know."""
        self._data = data
        self._loaded = loaded
        self._vocabulary = Vocabulary(data.words)
        self._drugs = DrugIndex(data, self._vocabulary) if loaded is None else LoadedDrugIndex(data, self._vocabulary, loaded)
        self._labs = lab_index(data.labs)
        self._identified: Remembered[tuple[tuple[Code, ...], str | None], DrugIdentity | UnidentifiedDrug] = Remembered(_MOST_DRUGS)
        self._problems: Remembered[tuple[tuple[Code, ...], str | None], tuple[ConceptMatch, ...]] = Remembered(_MOST_PROBLEMS)
        self._concepts = ConceptIndex(data) if loaded is None else LoadedConceptIndex(data, loaded)

    # -- making and storing

    @classmethod
    def shipped(cls) -> Terminology:
        """The hand-kept terms alone."""
        return cls(shipped_data())

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str]], loaded: LoadedTerms | None = None) -> Terminology:
        """The terminology a release stores, with its table of loaded terms. Raises TerminologyError on damaged rows."""
        return cls(read_rows(rows), loaded)

    def rows(self) -> Iterator[tuple[str, str]]:
        """All content as (kind, JSON) rows in a fixed order; `from_rows` of them gives an equal terminology."""
        return write_rows(self._data)

    def with_products(self, products: Iterable[ProductRow]) -> Terminology:
        """This terminology with the overlay compiled from document metadata; the order of the products does not matter."""
        return Terminology(compile_overlay(self._data, products))

    def with_site_terms(self, file: TermsFile, content: str) -> Terminology:
        """This terminology with the classes of a file of loaded terms, and the mark of the file, whose hash is `content`."""
        return Terminology(add_site_classes(self._data, file, Known(self._data, self._vocabulary), content))

    def compile_site_terms(self, file: TermsFile, target: Path, advance: Callable[[int], None] = lambda _: None) -> AdditionsReport:
        """Writes the table of loaded terms for this terminology. Raises TerminologyError when the file is damaged."""
        return compile_additions(file, Known(self._data, self._vocabulary), target, advance)

    # -- entities

    def entities(self) -> Iterator[Entity]:
        """All entities in stored order."""
        return self._concepts.entities()

    def entity(self, entity: EntityId) -> Entity | None:
        """The entity with this id, or None."""
        return self._concepts.entity(entity)

    def name(self, entity: EntityId) -> str:
        """The preferred name of an entity; the id as text when it is unknown."""
        return self._concepts.name(entity)

    def edge_rows(self) -> Iterator[EdgeRow]:
        """Every hand-kept edge with the place of its row in its term file."""
        return iter(self._data.edges)

    def files(self) -> tuple[TermFile, ...]:
        """The term files that edges are anchored in."""
        return self._data.files

    # -- drugs

    def identify_drug(self, codes: Sequence[Code], text: str | None) -> DrugIdentity | UnidentifiedDrug:
        """The drug that codes and text name together, or why none can be told."""
        asked = (tuple(codes), text)
        if len(text or "") > _LONGEST_KEPT:
            return self._drugs.identify(*asked)
        return self._identified.of(asked, lambda: self._drugs.identify(*asked))

    def subject_of(self, substances: Sequence[Substance]) -> tuple[EntityId, tuple[IngredientRef, ...]]:
        """The subject id of a composition given as (name, UNII, RxCUI) substances, and its base ingredients in id order."""
        composition = resolve_substances(substances, self._drugs)
        return composition_id(composition), tuple(self._drugs.ref(i) for i in composition)

    # -- concepts

    def lookup(self, name: str, types: Collection[EntityType] | None = None) -> tuple[EntityId, ...]:
        """The entities a whole name denotes, in the given types; singular and plural count as one name."""
        return self._concepts.lookup(name, types)

    def mention_names(self, types: Collection[EntityType] | None = None) -> Iterator[tuple[str, EntityId]]:
        """All names as keys with what they denote, English nouns in singular and plural."""
        return self._concepts.mention_names(types)

    def class_of(self, name: str) -> EntityId | None:
        """The class or enzyme role that a pharmacologic class of document metadata denotes (`Loop Diuretic [EPC]`), or None."""
        return next(iter(self._concepts.lookup(class_name(name), (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE))), None)

    def match_conditions(self, codes: Sequence[Code], text: str | None) -> tuple[ConceptMatch, ...]:
        """The concepts a coded or worded problem stands for, most specific only; words alone give an uncoded concept."""
        asked = (tuple(codes), text)
        if len(text or "") + sum(len(code.value) for code in codes) > _LONGEST_PROBLEM:
            return self._concepts.match_conditions(*asked)
        return self._problems.of(asked, lambda: self._concepts.match_conditions(*asked))

    def match_allergens(self, codes: Sequence[Code], text: str | None) -> tuple[ConceptMatch, ...]:
        """The ingredients, classes or allergens that an allergy's codes or words stand for; unknown words give an uncoded allergen."""
        matches: dict[EntityId, ConceptMatch] = {}
        for code in codes:
            hit = self._concepts.concept_of_code(code, _ALLERGEN_TYPES)
            for entity in (hit,) if hit else self._loaded_allergens(code) or self._drug_ids([code], None):
                matches.setdefault(entity, ConceptMatch(entity, self.name(entity), "code", f"{code.system}:{code.value}"))
        if text and not matches:
            for part in allergen_parts(text):
                for entity in self._concepts.lookup(part, _ALLERGEN_TYPES) or self._drug_ids([], part):
                    matches.setdefault(entity, ConceptMatch(entity, self.name(entity), "name", part))
                if matches and part == text:
                    break
        if text and not matches and name_key(text):
            uncoded = mint_uncoded(EntityType.ALLERGEN, text)
            matches[uncoded] = ConceptMatch(uncoded, text, "text", text)
        return tuple(matches.values())

    def _loaded_allergens(self, code: Code) -> tuple[EntityId, ...]:
        return self._concepts.meant(code, _ALLERGEN_TYPES) if isinstance(self._concepts, LoadedConceptIndex) else ()

    def standard_codes(self, codes: Sequence[Code]) -> tuple[Code, ...]:
        """The codes, and behind them the standard codes that a site's own ones among them mean."""
        loaded = self._loaded
        return (*codes, *(c for code in codes for key in code_keys(code) for c in loaded.codes_of(key))) if loaded else tuple(codes)

    def _drug_ids(self, codes: Sequence[Code], text: str | None) -> tuple[EntityId, ...]:
        drug = self._drugs.identify(codes, text)
        return tuple(r.id for r in drug.ingredients) if isinstance(drug, DrugIdentity) else ()

    def ancestors(self, entity: EntityId) -> frozenset[EntityId]:
        """Everything the entity is a kind of or belongs to, upwards without end; not itself."""
        return self._concepts.ancestors(entity)

    def covers(self, concept: EntityId, patient: EntityId) -> Truth:
        """TRUE when the patient's concept is or descends from the label's, UNKNOWN when it is broader, else FALSE."""
        return self._concepts.covers(concept, patient)

    # -- laboratory tests

    def lab(self, name: str) -> LabTerm | None:
        """The test that a LOINC code or a name of a result denotes, or None."""
        return self._labs.get(normal_words(name))

    # -- routes and forms

    def route(self, text: str | None) -> str | None:
        """The canonical route that the text names (`oral`, `topical`, `intravenous` ...), or None."""
        return self._vocabulary.route(text)

    def form(self, text: str | None) -> str | None:
        """The canonical dose form that the text names, or None."""
        return self._vocabulary.form(text)

    def systemic(self, route: str | None, form: str | None) -> bool | None:
        """Whether a drug given so acts on the whole body; None where neither route nor form decides."""
        return self._vocabulary.systemic(route, form)
