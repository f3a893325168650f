"""Which of the things a sentence names are partners of the product, and which the words before them take out.

Not partners: the product itself, what a sentence merely defines ("simvastatin is a CYP3A4 substrate"), what is offered instead, what "other
than" excludes, what patients reacted to or are on ("volume-depleted (including those on diuretics)"), and the probe drug of a study in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kb_builder.propose.interactions.bystanders import is_bystander, is_explanation, is_peer
from kb_builder.propose.interactions.companions import given_besides, not_taken
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId
from ontology.text.sought import sought

_COPULA = re.compile(
    r"(?P<before>[\w'-]+)\s+(?:is|are|was|were|be|being)\s+(?:also\s+|not\s+|both\s+|mainly\s+|primarily\s+|predominantly\s+|partially\s+|extensively\s+|known\s+)*(?:an?\s+(?:substrate|inhibitor|inducer)\s+and\s+)?(?:an?\s+|the\s+)?(?:(?!for\b|with\b|in\b|to\b|of\b|by\b|on\b)[\w-]+\s+){0,2}$|(?:,|\()\s*(?:which is\s+)?(?:an?|the)\s+(?:known\s+|very\s+)?$|\bas (?:an?|the)\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
_IS_NOT = re.compile(r"\b(?:is|are)\s+not\s+(?:an?\s+|known\s+)*$", re.IGNORECASE)
_REAL_SUBJECT = frozenset(
    ["that", "which", "who", "drug", "drugs", "agent", "agents", "medication", "medications", "product", "products", "medicine", "medicines"]
)
_EXCLUDES = sought(
    r"\b(?:other than|except(?:\s+for)?|excluding|with the exception of|but not)\s+(?:(?:the|for|low-dose|low doses of|high-dose|oral|topical|inhaled|short-term|single-dose)\s+)*$",
    re.IGNORECASE,
)
_BESIDE_NAMES = re.compile(
    r"\b(?:unless|except(?:\s+for)?|other than|excluding|with the exception of|the|for|and|or|with|is|are|contraindicated)\b|[\s,.;:()]+", re.IGNORECASE
)
_IN_EXCEPTION = sought(r"\([^()]*\b(?:except|other than|excluding|with the exception of)\b[^()]*$", re.IGNORECASE)
_AMONG_PEOPLE = re.compile(
    r"\((?:including|especially|particularly|e\.g\.,?)?\s*(?:those|patients)\s+(?:who are\s+)?(?:on|receiving|taking|treated with)\s+[^()]*$", re.IGNORECASE
)
_INSTEAD = sought(
    r"\b(?:instead(?:\s+of)?|alternatives?,?\s+(?:\w+\s+){0,3}(?:such as|like|including|e\.g\.,?|to)|alternative\s+(?:\w+\s+){0,4}(?:such as|like|\(e\.g\.,?)|switch(?:ed|ing)?\s+to|replaced?\s+(?:by|with)|substitut\w+\s+(?:by|with)|in place of|compared (?:to|with)(?:\s+\w+){0,4}|than (?:for|with|did|does|do|that of)|rather than|unlike"
    r"|minimal\s+[\w\s]{0,40}|not interact\w*\s+with|alternate\s+[\w\s]{0,20}\(e\.g\.,?|alternative to|similarit(?:y|ies) to|analog(?:ue)?s? of|derivatives? of|metabolites? of|prodrugs? of|related to|(?:consider|use|using|choose|select|prescribe)\s+(?:(?:the )?use of\s+)?(?:an?other|an alternative|alternative|a different|other)|as (?:is the case )?with(?: other(?: [\w-]+){0,2})?|as for|similar to(?: (?:those|that)(?: [\w-]+){0,3} with)?|in the same manner as(?: with)?|like|with or without)\s*(?:an?\s+|the\s+|other\s+)?$",
    re.IGNORECASE,
)
_IN_PLACE_OF = re.compile(r"(?:\bas (?:an )?alternatives? to|\b(?:use|receive|give|given)\b[^.;]{3,80}\binstead of)\s+(?:the\s+)?$", re.IGNORECASE)
_GROUP_LIKE = re.compile(r"(?<!\bother )\b[a-z-]{4,}s like\s+$")
"""What stands before the examples of a group: "antidepressants like"."""
_BY_THEMSELVES = re.compile(r"\bby (?:itself|themselves)\b", re.IGNORECASE)
_AND_A = re.compile(r"\s*,?\s*(?:and|or|as well as)\s+(?:also\s+)?(?:an?\s+)?", re.IGNORECASE)
_CHAIN = re.compile(r"^[\s,/&]*(?:(?:and|or|and/or)\s+|\(?(?:e\.g\.|such as|including|i\.e\.),?\s*)?(?:the\s+|other\s+|another\s+|an?\s+)?$", re.IGNORECASE)
_REACTED_TO = sought(
    r"\b(?:hypersensitiv\w+|allerg\w+|(?:allergic|allergic-type|anaphyla\w+|anaphylactoid|skin|cutaneous)[\w\s-]{0,30} reactions?|anaphyla\w+|sensitivity|urticaria|bronchospasm|angioedema|asthma|rhinitis)"
    r"(?:\s+(?:or|and)\s+[\w\s-]{0,30})?\s+(?:(?:to|after|following|from|precipitated by|induced by|caused by)\s+(?:(?:prior|previous|the|use of|taking|receiving|administration of|ingestion of|exposure to)\s+)*)$",
    re.IGNORECASE,
)
_IN_EXAMPLES = re.compile(r"\((?:e\.g\.?,?|such as|for example,?|like)\s[^()]*$|\bsuch as\s[^().;]*$", re.IGNORECASE)
_GIVEN_WITH = re.compile(r"\bwith\s+(?:[\w-]+\s+){0,3}$", re.IGNORECASE)
_OTHERS_NOUN = re.compile(r"\b(?:with|and|or|plus)\s+(?:[\w-]+\s+){0,2}(?:drugs|medications|medicines|agents|products)\b", re.IGNORECASE)
"""Names another group between the product's and its examples ("PPIs with medications such as")."""
_TOGETHER_WITH = re.compile(
    r"\b(?:(?:combination|concomitantly|concurrently|co-?administered|together) with|concomitant use of) (?:[\w-]+ )?(?:other|another)\b", re.IGNORECASE
)
"""Leads a list of what is taken with the product, though members of it are of the product's own class."""
_NARROWED = 40
"""Code points between a group and the bracket of its examples: "with short elimination half-lives"."""
_PROBE = re.compile(r"(?<!s)\s?\(\s*(?:an?\s+)?(?:\d[\d.,]*\s*mg\s+)?$")
_PROBE_END = re.compile(r"[^(),;]*\)")
_METABOLITE = re.compile(r",\s+(?:the|its|an?)\s+(?:active\s+|major\s+|main\s+)*metabolite\b", re.IGNORECASE)
_GIVEN_ALONE = re.compile(r"\b(?:when (?:given|used|taken|administered)|given|used|taken) alone\b", re.IGNORECASE)
_FAR = 600
"""Code points before a drug in which a sentence says how it is meant; no sentence that a person writes is longer."""
_NEIGHBOURS = 40
"""So many things before and behind one show how it is meant: no list is longer."""
_OWN_ROLE_KINDS = (EntityType.ENZYME_ROLE,)
_GROUPS = (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE)
_EXAMPLES = re.compile(r"\s*,?\s*(?:\(\s*)?(?:e\.g\.|such as|including|for example)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cast:
    """The partners of a sentence in order, with what is excluded from each; `defined` are roles it only defines."""

    partners: tuple[Thing, ...]
    minus: dict[Thing, tuple[EntityId, ...]]


def cast(text: str, start: int, things: Sequence[Thing], parts: Collection[int] = ()) -> Cast:
    """The partners among the things of a sentence that begins at `start` of blanked text; none of those that begin at `parts`."""
    partners: list[Thing] = []
    minus: dict[Thing, tuple[EntityId, ...]] = {}
    excluded_end = defined_end = allergen_end = beside_end = -1
    aside = (*not_taken(text, start, things), *given_besides(text, start, max((t.end for t in things), default=start) + _FAR, things))
    absent = {t.start for t in aside}
    for index, thing in enumerate(things):
        if thing.kind is not Kind.PARTNER or thing.own or thing.start in absent or thing.start in parts:
            continue
        before = text[max(start, thing.start - _FAR) : thing.start]
        near = things[max(0, index - _NEIGHBOURS) : index + _NEIGHBOURS]
        if _AMONG_PEOPLE.search(before) or _is_like_own(text, start, thing, near):
            continue
        chained = excluded_end >= 0 and _CHAIN.match(text[excluded_end : thing.start]) is not None
        if _EXCLUDES.search(before) or chained or _IN_EXCEPTION.search(before):
            excluded_end = thing.end
            if partners:
                group = _group_of(text, partners, thing.start)
                minus[group] = (*minus.get(group, ()), *(t.id for t in thing.targets))
            continue
        excluded_end = -1
        if _REACTED_TO.search(before) or (allergen_end >= 0 and _CHAIN.match(text[allergen_end : thing.start])):
            allergen_end = thing.end
            continue
        if is_bystander(before) or (beside_end >= 0 and _CHAIN.match(text[beside_end : thing.start])):
            beside_end = thing.end
            continue
        if _METABOLITE.match(text, thing.end):
            continue
        if is_peer(text, thing, near) or is_explanation(text, thing, near):
            continue
        if thing.type in _OWN_ROLE_KINDS and defined_end >= 0 and _AND_A.fullmatch(text[defined_end : thing.start]):
            defined_end = thing.end
            continue
        if thing.type in _OWN_ROLE_KINDS and _is_defined(before):
            defined_end = thing.end
        if _is_apposed(text, thing, near) or _is_offered(before) or _IS_NOT.search(before) or (thing.type in _OWN_ROLE_KINDS and _is_defined(before)):
            continue
        partners.append(thing)
    return Cast(tuple(partners), minus)


def _is_offered(before: str) -> bool:
    """True for what is offered instead of another; not for what something else is "an alternative to"."""
    return _INSTEAD.search(before) is not None and _IN_PLACE_OF.search(before) is None and _GROUP_LIKE.search(before) is None


def _is_like_own(text: str, start: int, thing: Thing, things: Sequence[Thing]) -> bool:
    """True for an example of the product's own group ("NSAIDs with short half-lives (e.g., X, Y)" in the label of one): it stands for the product.

    A group that the product is given with is another's.
    """
    bracket = _IN_EXAMPLES.search(text, start, thing.start) if thing.type == EntityType.INGREDIENT else None
    if bracket is None:
        return False
    group = next((t for t in reversed(things) if t.end <= bracket.start()), None)
    if group is None or not group.own or group.type != EntityType.DRUG_CLASS or bracket.start() - group.end > _NARROWED:
        return False
    if _OTHERS_NOUN.search(text, group.end, bracket.start()) is not None:
        return False
    return _GIVEN_WITH.search(text, start, group.start) is None and _TOGETHER_WITH.search(text, start, group.start) is None


def _group_of(text: str, partners: Sequence[Thing], until: int) -> Thing:
    """The partner that an exception takes a drug out of: the last one, or the group whose examples stand between ("inhibitors (e.g., X), except Y")."""
    last = partners[-1]
    return next((t for t in reversed(partners[:-1]) if t.type in _GROUPS and _EXAMPLES.match(text, t.end, until)), last)


def only_names(text: str, start: int, end: int, things: Sequence[Thing], ids: Collection[EntityId]) -> bool:
    """True when the words `[start, end)` of an exception say no more than which drugs are excepted, and `ids` are those."""
    inside = [t for t in things if start <= t.start and t.end <= end]
    rest = "".join(text[a:b] for a, b in zip([start, *(t.end for t in inside)], [*(t.start for t in inside), end], strict=True))
    return bool(inside) and all(t.ids <= set(ids) for t in inside) and not _BESIDE_NAMES.sub("", rest)


def _is_apposed(text: str, thing: Thing, things: Sequence[Thing]) -> bool:
    """True for a class that a drug right behind it names ("the strong CYP3A inhibitor ketoconazole"): the drug is meant."""
    if thing.type not in (EntityType.ENZYME_ROLE, EntityType.DRUG_CLASS):
        return False
    return any(
        t.start == thing.end + 1
        and t.type == EntityType.INGREDIENT
        and text[thing.end] == " "
        and not t.own
        and not text[thing.start : thing.end].rstrip().endswith("s")
        for t in things
    )


def is_excepted(before: str) -> bool:
    """True when the words before a drug take it out of what is meant ("other protease inhibitors, except")."""
    return _EXCLUDES.search(before) is not None


def is_probe(text: str, start: int, thing: Thing) -> bool:
    """True for the one drug in brackets behind a role: the probe of a study ("a strong CYP3A4 inhibitor (ketoconazole)"). Several are examples."""
    return _PROBE.search(text[start : thing.start]) is not None and _PROBE_END.match(text, thing.end) is not None


def is_alone(sentence: str) -> bool:
    """True when the sentence is about one of the drugs given alone."""
    return _GIVEN_ALONE.search(sentence) is not None or _BY_THEMSELVES.search(sentence) is not None


def _is_defined(before: str) -> bool:
    m = _COPULA.search(before)
    return m is not None and (m["before"] or "").lower() not in _REAL_SUBJECT
