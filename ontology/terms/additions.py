"""Compiles a file of loaded terminologies against the terms and labels of a release into the table that the service asks on a miss.

Hand-kept terms and labels win: where a loaded file says something else of a code or a name of theirs, it is told and not taken. A code or
name that loaded sources give to different compositions keeps all of them, and so identifies none.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId, mint, mint_uncoded
from ontology.terms.drug_names import Composition
from ontology.terms.drug_text import strength_in
from ontology.terms.known import Known, keys_of
from ontology.terms.loaded import MAX_NAME_TOKENS, SCHEMA
from ontology.terms.overlay import MAX_SUBSTANCES
from ontology.terms.phrases import phrase_key
from ontology.terms.readers.records import BrandRecord, DrugRecord, IngredientRecord, LineRefused, Substance
from ontology.terms.site_terms import add_concepts, add_site_codes
from ontology.terms.terms_file import TermsFile

TOLD = 200
"""Contradictions and refusals that are listed; all are counted."""
_CACHE = 200_000

_ADD_DRUG = """
INSERT INTO drug VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET form = CASE WHEN form IS excluded.form THEN form END,
    route = CASE WHEN route IS excluded.route THEN route END, strength = CASE WHEN strength IS excluded.strength THEN strength END
"""


@dataclass(slots=True)
class AdditionsReport:
    """What became of the loaded records: counts, contradictions to hand-kept terms and labels, rows whose targets nothing knows."""

    counts: Counter[str] = field(default_factory=Counter)
    contradictions: list[str] = field(default_factory=list)
    refused: list[LineRefused] = field(default_factory=list)

    def contradict(self, what: str) -> None:
        """Tells a contradiction."""
        self.counts["contradictions"] += 1
        if len(self.contradictions) < TOLD:
            self.contradictions.append(what)

    def refuse(self, place: str, what: str) -> None:
        """Tells a record that could not be compiled."""
        self.counts["refused"] += 1
        if len(self.refused) < TOLD:
            self.refused.append(LineRefused(place, what))


def compile_additions(file: TermsFile, known: Known, target: Path, advance: Callable[[int], None] = lambda _: None) -> AdditionsReport:
    """Writes the table at `target`, which must not exist. Raises TerminologyError when the file is damaged."""
    db = sqlite3.connect(target, isolation_level=None)
    try:
        db.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 4096; {SCHEMA}")
        db.execute("BEGIN")
        additions = Additions(db, known)
        for kind, add in (("ingredient", additions.add_ingredient), ("drug", additions.add_drug), ("brand", additions.add_brand)):
            for record in file.records(kind):
                add(record)
                advance(1)
        add_concepts(additions, file.records("concept"))
        additions.settle()
        add_site_codes(additions, file.records("site-code"))
        db.execute("COMMIT")
        db.execute("VACUUM")
    finally:
        db.close()
    return additions.report


class Additions:
    """The table while it is written, and what is known beside it."""

    def __init__(self, db: sqlite3.Connection, known: Known) -> None:
        self.db = db
        self.known = known
        self.report = AdditionsReport()
        self._compositions: dict[Composition, int] = {}
        self._loaded_names: dict[tuple[str, ...], EntityId | None] = {}
        self._of_rxcui: dict[str, EntityId] = {}
        self._of_substance: dict[Substance, EntityId] = {}

    # -- records

    def add_ingredient(self, record: IngredientRecord) -> None:
        """An ingredient: the known one of its code or name, else a new one with its names."""
        coded = self.known.by_code("rxnorm", record.rxcui)
        named = self.known.by_name(record.name)
        if coded and named and coded != named:
            self.report.contradict(f"RxCUI {record.rxcui} is {self.known.ref(coded).name} here and {record.name!r} in the loaded terms")
        entity = coded or named or mint(EntityType.INGREDIENT, "rxnorm", record.rxcui)
        self._of_rxcui[record.rxcui] = entity
        if not coded and not named:
            self._new_ingredient(entity, record.name, record.rxcui)
        self.put_drug(keys_of("rxnorm", record.rxcui), (entity,))
        for text in (record.name, *record.names):
            key = phrase_key(text)
            self._loaded_names[key] = entity if self._loaded_names.get(key, entity) == entity else None
            self.put_name(text, (entity,), brand=False)

    def add_drug(self, record: DrugRecord) -> None:
        """A drug code with its composition, form and route."""
        keys = keys_of(record.system, record.code)
        composition = self.whole(record.substances) if record.system == "atc" else self.compose(record.substances)
        if not composition or not keys:
            self.report.counts["without a composition"] += 1
            return
        form = self.known.vocabulary.form(record.form)
        routes = {r for text in record.routes if (r := self.known.vocabulary.route(text))}
        route = routes.pop() if len(routes) == 1 else None if record.routes else self._route_in(record.form)
        self.put_drug(keys, composition, form, route, strength_in(record.strength) if record.strength else None)

    def add_brand(self, record: BrandRecord) -> None:
        """A brand name."""
        if composition := self.compose(record.substances):
            self.put_name(record.name, composition, brand=True)

    # -- rows

    def put_drug(self, keys: Iterable[str], composition: Composition, form: str | None = None, route: str | None = None, strength: str | None = None) -> None:
        """What code keys stand for, unless hand-kept terms or labels know them."""
        for key in keys:
            before = self.known.coded(key)
            if not before:
                self.db.execute(_ADD_DRUG, (key, self._number(composition), form, route, strength))
                self.report.counts["codes"] += 1
            elif composition in before:
                self.report.counts["codes known before"] += 1
            else:
                self.report.contradict(f"{key} is {self._shown(before)} here and {self._shown([composition])} in the loaded terms")

    def put_name(self, text: str, composition: Composition, *, brand: bool) -> None:
        """A name, unless hand-kept terms or labels have it, or it says nothing."""
        key = phrase_key(text)
        before = self.known.named(key)
        if brand and not before and (ingredient := self._loaded_names.get(key)):
            before = frozenset({(ingredient,)})
        if before:
            if composition in before:
                self.report.counts["names known before"] += 1
            else:
                self.report.contradict(f"the name {text!r} is {self._shown(before)} here and {self._shown([composition])} in the loaded terms")
        elif not key or len(key) > MAX_NAME_TOKENS or self.known.says_nothing(key):
            self.report.counts["names that say nothing"] += 1
        else:
            self.db.execute("INSERT OR IGNORE INTO drug_name VALUES (?, ?, ?)", (" ".join(key), self._number(composition), brand))
            self.report.counts["names"] += 1

    def put_meaning(self, keys: Iterable[str], value: str) -> None:
        """What a code means that is no drug's."""
        for key in keys:
            self.db.execute("INSERT OR IGNORE INTO meaning VALUES (?, ?)", (key, value))
            self.report.counts["meanings"] += 1

    def settle(self) -> None:
        """Counts the codes and names that loaded sources give to several compositions."""
        for table, said in (("drug", "ambiguous codes"), ("drug_name", "ambiguous names")):
            query = f"SELECT count(*) FROM (SELECT 1 FROM {table} GROUP BY key HAVING count(*) > 1)"  # noqa: S608
            if number := int(self.db.execute(query).fetchone()[0]):
                self.report.counts[said] = number
        longest = "max(length(key) - length(replace(key, ' ', '')) + 1)"
        first = "substr(key, 1, instr(key || ' ', ' ') - 1)"
        self.db.execute(f"INSERT INTO first_word SELECT {first}, {longest} FROM drug_name GROUP BY 1")  # noqa: S608
        many = "SELECT key FROM concept_name GROUP BY key HAVING count(DISTINCT code) > 1"
        self.db.execute(f"DELETE FROM concept_name WHERE key IN ({many})")  # noqa: S608

    # -- substances

    def compose(self, substances: tuple[Substance, ...]) -> Composition:
        """The composition of substances; empty for none, and for more than a label may have."""
        if len(substances) > MAX_SUBSTANCES:
            return ()
        return tuple(sorted({self._ingredient(s) for s in substances}))

    def whole(self, substances: tuple[Substance, ...]) -> Composition:
        """The composition of one substance whose name may stand for several drugs, only where code or name are known."""
        (name, _, rxcui), *_ = substances
        entity = self._of_rxcui.get(rxcui or "") or self.known.by_code("rxnorm", rxcui)
        return (entity,) if entity else self.composition_named(name)

    def composition_named(self, name: str) -> Composition:
        """The composition of a whole name, known or loaded; empty when there is none or more than one."""
        if found := self.known.composition(name):
            return found
        rows = self.db.execute("SELECT ingredients FROM drug_name JOIN composition ON id = composition WHERE key = ?", (" ".join(phrase_key(name)),)).fetchall()
        return tuple(EntityId.parse(i) for i in json.loads(rows[0][0])) if len(rows) == 1 else ()

    def compositions_coded(self, key: str) -> list[tuple[Composition, str | None, str | None, str | None]]:
        """What a code key stands for, known or loaded, with form, route and strength."""
        if before := self.known.coded(key):
            return [(composition, None, None, None) for composition in before]
        query = "SELECT ingredients, form, route, strength FROM drug JOIN composition ON id = composition WHERE key = ?"
        return [(tuple(EntityId.parse(i) for i in json.loads(row[0])), row[1], row[2], row[3]) for row in self.db.execute(query, (key,))]

    def _ingredient(self, substance: Substance) -> EntityId:
        if known := self._of_substance.get(substance):
            return known
        name, unii, rxcui = substance
        entity = self._of_rxcui.get(rxcui or "") or self.known.substance(name, unii, rxcui) or self._by_loaded_name(name)
        if entity is None:
            base = " ".join(self.known.base_key(name)) or name
            entity = mint(EntityType.INGREDIENT, "rxnorm", rxcui) if rxcui else mint_uncoded(EntityType.INGREDIENT, base)
            self._new_ingredient(entity, base, rxcui)
            self.put_name(base, (entity,), brand=False)
        if len(self._of_substance) < _CACHE:
            self._of_substance[substance] = entity
        return entity

    def _by_loaded_name(self, name: str) -> EntityId | None:
        return self._loaded_names.get(phrase_key(name)) or self._loaded_names.get(self.known.base_key(name))

    def _new_ingredient(self, entity: EntityId, name: str, rxcui: str | None) -> None:
        self.db.execute("INSERT OR IGNORE INTO ingredient VALUES (?, ?, ?)", (str(entity), name.lower(), rxcui))
        self.report.counts["ingredients"] += 1

    def _number(self, composition: Composition) -> int:
        number = self._compositions.get(composition)
        if number is None:
            number = self._compositions[composition] = len(self._compositions) + 1
            self.db.execute("INSERT INTO composition VALUES (?, ?)", (number, json.dumps([str(i) for i in composition])))
        return number

    def _route_in(self, form: str) -> str | None:
        """The route that the first words of a form name (`Ophthalmic Solution`)."""
        words = form.split()
        return next((r for n in range(len(words), 0, -1) if (r := self.known.vocabulary.route(" ".join(words[:n])))), None)

    def _shown(self, compositions: Iterable[Composition]) -> str:
        return " or ".join(sorted(" / ".join(self._name(i) for i in c) for c in compositions))

    def _name(self, ingredient: EntityId) -> str:
        row = self.db.execute("SELECT name FROM ingredient WHERE id = ?", (str(ingredient),)).fetchone()
        return str(row[0]) if row else self.known.ref(ingredient).name
