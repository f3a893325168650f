"""What the audit asks of a release, and the index it keeps of each dossier.

A dossier is decoded once a process by the release; its view (rules by object, closure as a dictionary) is made once and kept beside it, so
that a check is a set join and never a scan over evidence.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Protocol, TypeVar

from cds_service.audit.kept import kept_with
from ontology.model.advice import Advice
from ontology.model.claims import Basis, Claim, Polarity
from ontology.model.dosing import Limit, Regimen
from ontology.model.entities import EntityType
from ontology.model.guards import Truth
from ontology.model.identifiers import EntityId
from ontology.store.records import ClosureRow, DocumentRecord, Dossier, Rule
from ontology.terms.entries import EdgeRow

V = TypeVar("V")


class Terms(Hashable, Protocol):
    """The part of the terminology that the audit needs."""

    def name(self, entity: EntityId, /) -> str:
        """The preferred name."""
        ...

    def lookup(self, name: str, types: Collection[EntityType] | None = None, /) -> tuple[EntityId, ...]:
        """The entities whose whole name this is."""
        ...

    def ancestors(self, entity: EntityId, /) -> frozenset[EntityId]:
        """Everything the entity descends from."""
        ...

    def covers(self, concept: EntityId, patient: EntityId, /) -> Truth:
        """TRUE when the patient's concept equals or descends from the label's; UNKNOWN when it is broader."""
        ...

    def mention_names(self, types: Collection[EntityType] | None = None, /) -> Iterator[tuple[str, EntityId]]:
        """All names with what they denote."""
        ...

    def edge_rows(self) -> Iterator[EdgeRow]:
        """Every hand-kept edge."""
        ...

    def systemic(self, route: str | None, form: str | None, /) -> bool | None:
        """Whether a product by this route and in this form acts systemically; None when neither says."""
        ...


class SectionText(Protocol):
    """A section as a release keeps it."""

    @property
    def key(self) -> str:
        """The field's name."""
        ...

    @property
    def text(self) -> str:
        """The text as received."""
        ...


class Knowledge(Protocol):
    """What a release offers to an audit."""

    @property
    def id(self) -> str:
        """The release id."""
        ...

    @property
    def terminology(self) -> Terms:
        """The terminology the release was built with."""
        ...

    def dossier(self, subject: EntityId, /) -> Dossier | None:
        """All that is known of one subject, or None."""
        ...

    def claim(self, claim_id: str, /) -> Claim | None:
        """The claim with this id, or None."""
        ...

    def document(self, set_id: str, version: str | None = None, /) -> DocumentRecord | None:
        """A document version, or None."""
        ...

    def section(self, set_id: str, version: str, key: str, /) -> SectionText | None:
        """A section of a document version, or None."""
        ...


DRUG_TYPES = frozenset({EntityType.INGREDIENT, EntityType.DRUG, EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE, EntityType.HERB})
"""Objects that another order can be or carry."""

FOOD_TYPES = frozenset({EntityType.FOOD, EntityType.LIFESTYLE, EntityType.HERB})
"""Objects that a patient may take without an order."""

ALLERGY_TYPES = frozenset({EntityType.INGREDIENT, EntityType.HERB, EntityType.DRUG, EntityType.DRUG_CLASS, EntityType.ALLERGEN, EntityType.FOOD})
"""Objects of a contraindication that are what a patient is allergic to."""


@dataclass(frozen=True, slots=True)
class DossierView:
    """A dossier with its rules indexed: by partner for the pairs, by kind for the patient's state.

    `mixed` are statements on what must not be mixed with the drug, `foods` those on food, habits and herbs.
    """

    dossier: Dossier
    reach: Mapping[EntityId, ClosureRow]
    crosses: Mapping[EntityId, ClosureRow]
    partners: Mapping[EntityId, tuple[Rule, ...]]
    foods: Mapping[EntityId, tuple[Rule, ...]]
    mixed: Mapping[EntityId, tuple[Rule, ...]]
    states: tuple[Rule, ...]
    allergies: tuple[Rule, ...]
    compositions: tuple[Rule, ...]
    excipients: tuple[Rule, ...]
    doses: tuple[Rule, ...]
    limits: tuple[Rule, ...]
    indications: tuple[Rule, ...]
    populations: tuple[Rule, ...]
    prerequisites: tuple[Rule, ...]
    _kept: dict[Callable[..., Any], Any] = field(default_factory=dict, repr=False, compare=False)


def once_a_view(work_out: Callable[[DossierView], V]) -> Callable[[DossierView], V]:
    """The function of a view, its value worked out once and gone with the view."""

    @wraps(work_out)
    def get(view: DossierView) -> V:
        kept = view._kept
        if get not in kept:
            kept[get] = work_out(view)
        value: V = kept[get]
        return value

    return get


def view_of(dossier: Dossier) -> DossierView:
    """The index of a dossier."""
    partners: dict[EntityId, list[Rule]] = {}
    foods: dict[EntityId, list[Rule]] = {}
    mixed: dict[EntityId, list[Rule]] = {}
    states: list[Rule] = []
    allergies: list[Rule] = []
    for rule in dossier.rules:
        if rule.predicate == "incompatible_with" and rule.polarity is Polarity.POSITIVE:
            mixed.setdefault(rule.object, []).append(rule)
        if rule.predicate not in ("interacts_with", "contraindicated_in") or not isinstance(rule.payload, Advice) or rule.basis is Basis.ANIMAL:
            continue
        if rule.predicate == "interacts_with":
            if rule.object.type in DRUG_TYPES:
                partners.setdefault(rule.object, []).append(rule)
            if rule.object.type in FOOD_TYPES:
                foods.setdefault(rule.object, []).append(rule)
        elif rule.polarity is Polarity.POSITIVE:
            # A contraindication in a drug, class or allergen always means hypersensitivity to it.
            (allergies if rule.object.type in ALLERGY_TYPES else states).append(rule)
    rows = {kind: {r.target: r for r in dossier.closure if (r.relation == "cross-reacts") is kind} for kind in (False, True)}
    return DossierView(
        dossier,
        rows[False],
        rows[True],
        {target: tuple(rules) for target, rules in partners.items()},
        {target: tuple(rules) for target, rules in foods.items()},
        {target: tuple(rules) for target, rules in mixed.items()},
        tuple(states),
        tuple(allergies),
        tuple(r for r in dossier.rules if r.predicate in ("has_ingredient", "belongs_to")),
        tuple(r for r in dossier.rules if r.predicate == "has_excipient"),
        tuple(r for r in dossier.rules if _stated(r, "has_dose_rule", Regimen)),
        tuple(r for r in dossier.rules if _stated(r, "has_limit", Limit)),
        tuple(r for r in dossier.rules if r.predicate == "indicated_for"),
        tuple(r for r in dossier.rules if _stated(r, "population_advice", Advice)),
        tuple(r for r in dossier.rules if _stated(r, "has_prerequisite", Advice)),
    )


def _stated(rule: Rule, predicate: str, payload: type) -> bool:
    return rule.predicate == predicate and isinstance(rule.payload, payload) and rule.polarity is Polarity.POSITIVE and rule.basis is Basis.ESTABLISHED


class ViewCache:
    """Views of the dossiers an audit has met, at most `size`; a view is used only for the very dossier it was made of."""

    def __init__(self, size: int = 2000) -> None:
        self._size = size
        self._views: OrderedDict[tuple[str, EntityId], DossierView] = OrderedDict()

    def view(self, knowledge: Knowledge, subject: EntityId) -> DossierView | None:
        """The view of a subject's dossier, or None when the release knows nothing of it."""
        dossier = knowledge.dossier(subject)
        if dossier is None:
            return None
        key = (knowledge.id, subject)
        known = self._views.get(key)
        if known is not None and known.dossier is dossier:
            return known
        made = view_of(dossier)
        self._views[key] = made
        while len(self._views) > self._size:
            self._views.popitem(last=False)
        return made


VIEWS = ViewCache()
"""The process' cache."""


@kept_with
def entities_named(terms: Terms, names: tuple[str, ...], types: tuple[EntityType, ...] | None = None) -> frozenset[EntityId]:
    """All entities that one of the names denotes; looked up once a terminology."""
    return frozenset(e for name in names for e in terms.lookup(name, types))
