"""The queries an audit's knowledge comes from: SQL for constraints, Cypher for topology, each about one subject.

Publishing runs them for every subject and stores the answers as dossiers; `--live` runs the same texts at audit time. A template's id and
hash go into every dossier, so that an answer names the query it rests on. The Cypher keeps to what all engines read alike: scalars with
aliases, directed bounded paths that start at the drug, two MATCH clauses instead of a comma. Publishing asks it of many subjects at once,
by a text that `for_many` derives from the template.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ontology.model.entities import EntityType
from ontology.model.identifiers import content_hash
from ontology.model.predicates import REGISTRY, Stratum

HOPS = 8
"""Depth of the deepest hierarchy that a closure climbs; the graph check fails when one is deeper."""


@dataclass(frozen=True, slots=True)
class Template:
    """A query text with its id (`language/name@version`) and hash."""

    id: str
    text: str
    hash: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash", content_hash(self.text)[:16])

    @property
    def key(self) -> tuple[str, str]:
        """(id, hash): what a dossier records."""
        return self.id, self.hash


def _sql(name: str, text: str) -> Template:
    return Template(f"sql/{name}@1", re.sub(r"\s+", " ", text).strip())


SUBJECT = _sql("subject", "SELECT id, name, ingredients FROM subject WHERE id = :subject")
LABEL_SETS = _sql("label-sets", "SELECT * FROM label_set WHERE subject = :subject ORDER BY document, version")
LABEL_PRODUCTS = _sql("label-products", "SELECT document, version, system, value FROM label_product WHERE subject = :subject")
CONSTRAINTS = _sql(
    "constraints",
    """SELECT c.*, o.name AS object_name FROM claim c LEFT JOIN entity o ON o.id = c.object
    WHERE c.subject = :subject AND c.released = 1 AND c.stratum = 'R' ORDER BY c.id""",
)
NEIGHBOUR_CLAIMS = _sql(
    "neighbour-claims",
    """SELECT c.*, o.name AS object_name FROM claim c LEFT JOIN entity o ON o.id = c.object
    WHERE c.subject = :subject AND c.released = 1 AND c.stratum = 'G'
    AND (c.polarity = 'negative' OR c.id IN (SELECT value FROM json_each(:claims))) ORDER BY c.id""",
)
EVIDENCE = _sql(
    "evidence",
    """SELECT e.* FROM evidence e JOIN claim c ON c.id = e.claim
    WHERE c.subject = :subject AND c.released = 1 ORDER BY e.claim, e.position""",
)
EXCIPIENTS = _sql(
    "label-excipients",
    """SELECT DISTINCT c.*, o.name AS object_name FROM label_set l JOIN claim c ON c.document = l.document AND c.version = l.version
    LEFT JOIN entity o ON o.id = c.object WHERE l.subject = :subject AND c.predicate = 'has_excipient' AND c.released = 1
    AND c.polarity = 'positive' AND c.guard IS NULL ORDER BY c.id""",
)
"""What only the product of a label contains is said of the product; its label judges orders of the subject."""
EXCIPIENT_EVIDENCE = _sql("excipient-evidence", "SELECT * FROM evidence WHERE claim IN (SELECT value FROM json_each(:claims)) ORDER BY claim, position")
STANDING_EDGES = _sql(
    "standing-edges",
    """SELECT id FROM claim WHERE id IN (SELECT value FROM json_each(:claims))
    AND released = 1 AND polarity = 'positive' AND guard IS NULL""",
)
NAMES = _sql("names", "SELECT id, name FROM entity WHERE id IN (SELECT value FROM json_each(:entities))")

SQL_TEMPLATES: tuple[Template, ...] = (
    SUBJECT, LABEL_SETS, LABEL_PRODUCTS, CONSTRAINTS, NEIGHBOUR_CLAIMS, EVIDENCE, EXCIPIENTS, EXCIPIENT_EVIDENCE, STANDING_EDGES, NAMES,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reach:
    """The edges of one relation of the closure, for one type of subject: rows of `source`, `target`, `claim`."""

    relation: str
    template: Template


_START = re.compile(r"\((\w+):(\w+) \{code:\$code\}\)")
_RETURN = " RETURN DISTINCT "


def for_many(template: Template) -> str:
    """A Cypher template's query asked of all of `$codes` at once: its rows, each with the `subject` it is about.

    `IN` and not UNWIND: with UNWIND ladybug walks long paths from every vertex of the graph.
    """
    text, starts = _START.subn(r"(\1:\2)", template.text)
    named = _START.search(template.text)
    if named is None or starts != 1 or "$" in text or "WHERE" in text or text.count(_RETURN) != 1:
        raise ValueError(f"template {template.id} does not start at one subject given by $code: {template.text}")
    subject = f"{named[1]}.code"
    return text.replace(_RETURN, f" WHERE {subject} IN $codes{_RETURN}{subject} AS subject, ")


_GRAPH_TYPES = "|".join(spec.name.upper() for spec in REGISTRY if spec.stratum is Stratum.GRAPH)
_EDGE = "RETURN DISTINCT a.code AS source, b.code AS target, r.claim AS claim"
_TO_INGREDIENT: dict[EntityType, str] = {
    EntityType.INGREDIENT: "(i:Ingredient {code:$code})",
    EntityType.DRUG: "(d:Drug {code:$code})-[:HAS_INGREDIENT]->(i:Ingredient)",
}
"""Herbs are no ingredients here: they have neither classes nor roles, and what is said of them is read from their own dossiers."""


def _cypher(name: str, subject: EntityType, text: str) -> Template:
    return Template(f"cypher/{name}/{subject.value}@1", text)


def _neighbours(subject: EntityType) -> Template:
    return _cypher("neighbours", subject, f"MATCH (a:{subject.value} {{code:$code}})-[r:{_GRAPH_TYPES}]->(b) RETURN DISTINCT r.claim AS claim")


def _reaches(subject: EntityType) -> tuple[Reach, ...]:
    start = _TO_INGREDIENT[subject]
    at_ingredient = start.replace("(i:", "(a:")
    climb_classes = f"{start}-[:BELONGS_TO]->(k:DrugClass)-[:SUBCLASS_OF*0..{HOPS}]->(a:DrugClass)"
    climb_roles = f"{start}-[:HAS_ROLE]->(k:EnzymeRole)-[:IS_A*0..{HOPS}]->(a:EnzymeRole)"
    patterns: list[tuple[str, str, str]] = [
        ("class", "belongs-to", f"MATCH {at_ingredient}-[r:BELONGS_TO]->(b:DrugClass) {_EDGE}"),
        ("class", "superclasses", f"MATCH {climb_classes}-[r:SUBCLASS_OF]->(b:DrugClass) {_EDGE}"),
        ("role", "roles", f"MATCH {at_ingredient}-[r:HAS_ROLE]->(b:EnzymeRole) {_EDGE}"),
        ("role", "broader-roles", f"MATCH {climb_roles}-[r:IS_A]->(b:EnzymeRole) {_EDGE}"),
        ("is-a", "kinds", f"MATCH {at_ingredient}-[r:IS_A]->(b) {_EDGE}"),
        ("is-a", "broader-kinds", f"MATCH {start}-[:IS_A*1..{HOPS}]->(a)-[r:IS_A]->(b) {_EDGE}"),
        ("cross-reacts", "cross-reactions", f"MATCH {at_ingredient}-[r:CROSS_REACTS_WITH]-(b) {_EDGE}"),
        ("cross-reacts", "class-cross-reactions", f"MATCH {climb_classes}-[r:CROSS_REACTS_WITH]-(b) {_EDGE}"),
        ("cross-reacts", "kind-cross-reactions", f"MATCH {start}-[:IS_A*1..{HOPS}]->(a)-[r:CROSS_REACTS_WITH]-(b) {_EDGE}"),
    ]
    if subject is EntityType.DRUG:
        patterns.insert(0, ("ingredient", "ingredients", f"MATCH (a:Drug {{code:$code}})-[r:HAS_INGREDIENT]->(b) {_EDGE}"))
    return tuple(Reach(relation, _cypher(name, subject, text)) for relation, name, text in patterns)


SUBJECT_TYPES: tuple[EntityType, ...] = (*_TO_INGREDIENT, EntityType.HERB)
NEIGHBOURS: dict[str, Template] = {t.value: _neighbours(t) for t in SUBJECT_TYPES}
REACHES: dict[str, tuple[Reach, ...]] = {t.value: _reaches(t) if t in _TO_INGREDIENT else () for t in SUBJECT_TYPES}


def cypher_templates(type_: str) -> tuple[Template, ...]:
    """The Cypher templates of one type of subject; none for a type that is no subject."""
    if type_ not in NEIGHBOURS:
        return ()
    return (NEIGHBOURS[type_], *(reach.template for reach in REACHES[type_]))


CYPHER_TEMPLATES: tuple[Template, ...] = tuple(t for type_ in NEIGHBOURS for t in cypher_templates(type_))
TEMPLATES: tuple[Template, ...] = (*SQL_TEMPLATES, *CYPHER_TEMPLATES)
TEMPLATE_HASHES: dict[str, str] = dict(template.key for template in TEMPLATES)
