"""The hand-kept terms compiled from the shipped tables into one content, every reference resolved and every edge anchored in its row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from ontology.model.entities import Entity, EntityType, Label
from ontology.model.errors import TerminologyError
from ontology.model.identifiers import Code, EntityId, mint
from ontology.terms.drugs import composition_id
from ontology.terms.entries import BrandTerm, CodeRange, EdgeRow, LabTerm, TermData, TermFile, Word
from ontology.terms.hierarchy import refuse_cycles
from ontology.terms.labs import read_lab
from ontology.terms.names import name_key, slug
from ontology.terms.tables import Table, TableRow, read_table

EDGE_TABLES = (
    "ingredients",
    "classes",
    "class_members",
    "enzyme_roles",
    "roles",
    "conditions",
    "allergens",
    "cross_reactivity",
    "effects",
    "effect_edges",
    "antidotes",
    "incompatibilities",
)
CONCEPT_TABLES = ("foods", "concepts")
ANTIDOTE_ORDERS = ("any", "as-needed")
NO_CODE = "none:"
CHINESE, ENGLISH = "zh", "en"


@cache
def shipped_data() -> TermData:
    """The content of all shipped tables. Raises TerminologyError naming the row that is wrong."""
    return _Compiler().compile()


class _Compiler:
    def __init__(self) -> None:
        self.entities: dict[EntityId, Entity] = {}
        self.names: dict[str, EntityId] = {}
        self.edges: list[EdgeRow] = []
        self.ranges: list[CodeRange] = []
        self.words: list[Word] = []
        self.brands: list[BrandTerm] = []
        self.files: list[TermFile] = []
        self.labs: list[LabTerm] = []
        self.works = {row["key"]: row["citation"] for row in read_table("sources").rows}

    def compile(self) -> TermData:
        steps: tuple[tuple[str, Callable[[TableRow], None]], ...] = (
            ("ingredients", self._ingredient),
            ("classes", self._class),
            ("enzyme_roles", self._enzyme_role),
            ("conditions", self._condition),
            ("foods", self._concept),
            ("concepts", self._concept),
            ("labs", self._lab),
            ("effects", self._effect),
            ("allergens", self._allergen),
            ("brands", self._brand),
            ("class_members", self._member),
            ("roles", self._role),
            ("cross_reactivity", self._cross_reactivity),
            ("effect_edges", self._known_effect),
            ("antidotes", self._antidote),
            ("incompatibilities", self._incompatibility),
            ("routes", self._route),
            ("forms", self._form),
            ("salts", self._salt),
            ("words", self._word),
        )
        tables = [(self._table(key), read) for key, read in steps]
        for table, read in tables:
            for row in table.rows:
                read(row)
        for table, _ in tables:
            for row in table.rows:
                self._parents(row)
        refuse_cycles(self.edges)
        return TermData(
            tuple(self.files),
            tuple(self.entities.values()),
            tuple(self.edges),
            tuple(self.ranges),
            tuple(self.words),
            tuple(self.brands),
            labs=tuple(self.labs),
        )

    def _table(self, key: str) -> Table:
        table = read_table(key)
        for source in table.sources():
            if source not in self.works:
                raise TerminologyError(f"{key}.tsv: source {source!r} is not a key of sources.tsv")
        if key in EDGE_TABLES:
            works = "; ".join(self.works[s] for s in table.sources())
            self.files.append(TermFile(table.key, table.title, table.text, table.version, works))
        return table

    # -- entities

    def _add(self, row: TableRow, entity_id: EntityId, name: str, codes: Iterable[Code], columns: tuple[tuple[str, str], ...]) -> None:
        if entity_id in self.entities:
            raise row.fail(f"{entity_id} stands twice")
        labels = [Label(name, ENGLISH, row["source"], preferred=True), *self._labels(row, columns)]
        self.entities[entity_id] = Entity(entity_id, EntityType(entity_id.type), name, tuple(codes), tuple(dict.fromkeys(labels)))

    @staticmethod
    def _labels(row: TableRow, columns: tuple[tuple[str, str], ...]) -> Iterator[Label]:
        for column, language in columns:
            for text in row.items(column):
                yield Label(text, language, row["source"])

    def _name(self, row: TableRow, reference: str, entity_id: EntityId) -> None:
        if self.names.setdefault(reference, entity_id) != entity_id:
            raise row.fail(f"the reference {reference!r} is taken by {self.names[reference]}")

    def _ref(self, row: TableRow, reference: str) -> EntityId:
        try:
            return self.names[reference]
        except KeyError:
            raise row.fail(f"{reference!r} is in no table that could define it") from None

    def _ingredient(self, row: TableRow) -> None:
        kind = EntityType(row["type"])
        codes = [Code("rxnorm", c) for c in row.items("rxcui")] + [Code("unii", c) for c in row.items("unii")]
        chosen = codes[0] if codes and kind is EntityType.INGREDIENT else Code("pharmgraph", slug(row["name"]))
        entity_id = mint(kind, chosen.system, chosen.value)
        self._add(row, entity_id, row["name"], codes, (("synonyms", ENGLISH), ("zh", CHINESE)))
        self._name(row, f"ingredient:{row['name']}", entity_id)
        self.brands += [BrandTerm(brand, (entity_id,)) for brand in row.items("brands")]

    def _class(self, row: TableRow) -> None:
        entity_id = mint(EntityType.DRUG_CLASS, "pharmgraph", row["key"])
        self._add(row, entity_id, row["name"], _codes(row, "codes"), (("synonyms", ENGLISH), ("epc", ENGLISH), ("zh", CHINESE)))
        self._name(row, f"class:{row['key']}", entity_id)

    def _enzyme_role(self, row: TableRow) -> None:
        entity_id = mint(EntityType.ENZYME_ROLE, "pharmgraph", row["key"])
        self._add(row, entity_id, row["name"], (), (("synonyms", ENGLISH), ("moa", ENGLISH), ("zh", CHINESE)))
        self._name(row, f"role:{row['key']}", entity_id)

    def _condition(self, row: TableRow) -> None:
        entity_id = mint(EntityType.CONDITION, "pharmgraph", row["key"])
        self._add(row, entity_id, row["name"], [Code("snomed", c) for c in row.items("snomed")], (("synonyms", ENGLISH), ("zh", CHINESE)))
        self._name(row, f"condition:{row['key']}", entity_id)
        if not row["icd10cm"]:
            raise row.fail(f"no ICD-10-CM range; write '{NO_CODE}' and why no code says {row['name']}")
        for cell in () if row["icd10cm"].startswith(NO_CODE) else row.items("icd10cm"):
            low, _, high = cell.replace(".", "").partition("-")
            if not low[:1].isalpha() or (high and high < low):
                raise row.fail(f"ICD-10-CM range {cell!r} is none")
            self.ranges.append(CodeRange(entity_id, low, high or low))

    def _concept(self, row: TableRow) -> None:
        kind = EntityType(row["type"])
        entity_id = mint(kind, "pharmgraph", row["key"])
        self._add(row, entity_id, row["name"], _codes(row, "codes"), (("synonyms", ENGLISH), ("zh", CHINESE)))
        self._name(row, f"{kind.value.lower()}:{row['key']}", entity_id)

    def _effect(self, row: TableRow) -> None:
        entity_id = mint(EntityType.EFFECT, "pharmgraph", row["key"])
        self._add(row, entity_id, row["name"], (), (("synonyms", ENGLISH), ("zh", CHINESE)))
        self._name(row, f"effect:{row['key']}", entity_id)

    def _lab(self, row: TableRow) -> None:
        lab = read_lab(row)
        columns = (("synonyms", ENGLISH), ("monitoring", ENGLISH), ("zh", CHINESE))
        self._add(row, lab.entity, row["name"], [Code("loinc", c) for c in lab.loinc], columns)
        for key in (*lab.loinc, *lab.names):
            self._name(row, f"lab:{key}", lab.entity)
        self.labs.append(lab)

    def _allergen(self, row: TableRow) -> None:
        codes = tuple(_codes(row, "codes"))
        columns = (("synonyms", ENGLISH), ("zh", CHINESE))
        if means := row["means"]:
            target = self._ref(row, means)
            known = self.entities[target]
            labels = (Label(row["name"], ENGLISH, row["source"]), *self._labels(row, columns))
            self.entities[target] = Entity(
                target, known.type, known.name, tuple(dict.fromkeys((*known.codes, *codes))), tuple(dict.fromkeys((*known.labels, *labels)))
            )
            return
        entity_id = mint(EntityType.ALLERGEN, "pharmgraph", row["key"])
        self._add(row, entity_id, row["name"], codes, columns)
        self._name(row, f"allergen:{row['key']}", entity_id)

    def _brand(self, row: TableRow) -> None:
        ingredients = tuple(sorted(self._ref(row, f"ingredient:{name}") for name in row.items("ingredients")))
        self.brands += [BrandTerm(name, ingredients, row["form"] or None, row["route"] or None) for name in row.items("name")]
        subject = composition_id(ingredients)
        if subject not in self.entities:
            name = " / ".join(sorted(self.entities[i].name for i in ingredients))
            self.entities[subject] = Entity(subject, EntityType.DRUG, name, (), (Label(name, ENGLISH, row["source"], preferred=True),))

    # -- edges

    def _edge(self, row: TableRow, predicate: str, subject: EntityId, object_: EntityId) -> None:
        self.edges.append(EdgeRow(predicate, subject, object_, row.file, row.start, row.end))

    def _member(self, row: TableRow) -> None:
        self._edge(row, "belongs_to", self._ref(row, f"ingredient:{row['ingredient']}"), self._ref(row, f"class:{row['class']}"))

    def _role(self, row: TableRow) -> None:
        self._edge(row, "has_role", self._ref(row, f"ingredient:{row['ingredient']}"), self._ref(row, f"role:{row['role']}"))

    def _cross_reactivity(self, row: TableRow) -> None:
        one, other = self._drug(row, "subject"), self._drug(row, "object")
        self._edge(row, "cross_reacts_with", one, other)
        self._edge(row, "cross_reacts_with", other, one)

    def _known_effect(self, row: TableRow) -> None:
        self._state(row, "has_effect", self._drug(row, "subject"), self._ref(row, f"effect:{row['effect']}"))

    def _antidote(self, row: TableRow) -> None:
        if row["when"] not in ANTIDOTE_ORDERS:
            raise row.fail(f"when {row['when']!r} is none of {', '.join(ANTIDOTE_ORDERS)}")
        self._state(row, "antidote_of", self._drug(row, "antidote"), self._drug(row, "against"), note=row["when"])

    def _incompatibility(self, row: TableRow) -> None:
        """Said once, of one of the two."""
        said = {column: row[column] for column in ("action", "strength", "basis")}
        self._state(row, "interacts_with", self._drug(row, "one"), self._drug(row, "other"), **said)

    def _state(self, row: TableRow, predicate: str, subject: EntityId, object_: EntityId, **said: str) -> None:
        """An edge on the row's sentence: what a claim on it quotes is that sentence, not the row."""
        start, end = row.place("statement")
        self.edges.append(EdgeRow(predicate, subject, object_, row.file, start, end, **said))

    def _drug(self, row: TableRow, column: str) -> EntityId:
        """The class (written `class:key`) or the ingredient that a cell names."""
        return self._ref(row, row[column] if ":" in row[column] else f"ingredient:{row[column]}")

    def _parents(self, row: TableRow) -> None:
        if row.file == "effects":
            for opposite in row.items("opposes"):
                one, other = self._ref(row, f"effect:{row['key']}"), self._ref(row, f"effect:{opposite}")
                self._edge(row, "opposes", one, other)
                self._edge(row, "opposes", other, one)
        kinds = {"classes": ("class", "subclass_of"), "enzyme_roles": ("role", "is_a"), "conditions": ("condition", "is_a"), "allergens": ("allergen", "is_a")}
        if row.file not in kinds:
            return
        kind, predicate = kinds[row.file]
        for parent in row.items("parents"):
            self._edge(row, predicate, self._ref(row, f"{kind}:{row['key']}"), self._ref(row, f"{kind}:{parent}"))

    # -- words

    def _route(self, row: TableRow) -> None:
        for text in (row["key"], *row.items("synonyms")):
            self.words.append(Word("route", text, row["key"], (row["systemic"],)))

    def _form(self, row: TableRow) -> None:
        for text in (row["key"], *row.items("synonyms")):
            self.words.append(Word("form", text, row["key"], (row["route"], row["systemic"])))

    def _salt(self, row: TableRow) -> None:
        self.words += [Word("salt", text) for text in row.items("words")]

    def _word(self, row: TableRow) -> None:
        self.words += [Word(row["table"], text, row["value"]) for text in row.items("words") if name_key(text)]


def _codes(row: TableRow, column: str) -> Iterator[Code]:
    for cell in row.items(column):
        system, colon, value = cell.partition(":")
        if not colon:
            raise row.fail(f"code {cell!r} is not written system:value")
        yield Code(system, value)
