"""Things that a statement may be about: drugs, classes, enzyme roles, food, conditions, each with the entities it stands for.

What the vocabulary does not know is named by the label's words alone (`uncoded`) when its form shows what it is: "nephrotoxic drugs", "drugs
that prolong the QT interval", "strong CYP2C8 inhibitors". The label's own product is marked, so that nothing interacts with itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from kb_builder.propose.lexicon import PARTNER_TYPES, STATE_TYPES, Lexicon
from ontology.model.entities import Entity, EntityType, Label
from ontology.model.identifiers import EntityId, mint_uncoded, normal_words
from ontology.terms.identity import IngredientRef
from ontology.text.document import Document
from ontology.text.mentions import Mention, words_key
from ontology.text.offsets import Shadow
from ontology.text.roles import RoleMention, find_roles


class Kind(StrEnum):
    """What a thing is to a statement."""

    PARTNER = "partner"
    STATE = "state"
    ALLERGEN = "allergen"


@dataclass(frozen=True, slots=True)
class Target:
    """An entity that a thing stands for, in the label's words; `entity` is set where only the words name it."""

    id: EntityId
    words: str
    entity: Entity | None = None


@dataclass(frozen=True, slots=True)
class Thing:
    """A named thing at `[start, end)`. `own` is the label's product or its class; `joint` is one drug that has all the roles named."""

    start: int
    end: int
    kind: Kind
    targets: tuple[Target, ...]
    own: bool = False
    joint: bool = False

    @property
    def type(self) -> str:
        """The entity type of what the thing stands for."""
        return self.targets[0].id.type


_PREFERENCE = (
    EntityType.LIFESTYLE,
    EntityType.FOOD,
    EntityType.INGREDIENT,
    EntityType.DRUG,
    EntityType.HERB,
    EntityType.DRUG_CLASS,
    EntityType.BRAND,
    EntityType.CONDITION,
    EntityType.PROCEDURE,
    EntityType.SYMPTOM,
    EntityType.POPULATION,
    EntityType.ALLERGEN,
)
_HEAD = r"(?:drugs?(?!-|\s+(?:interactions?|levels?|concentrations?|products?|metaboli\w+|therapy|exposure|reactions?|eruption|abuse|dependence|clearance|monitoring|effects?|class))|agents?|medications?|medicines?|medicinal products?|inhibitors?|antagonists?|blockers?|agonists?|antibiotics?|antibacterials?|antifungals?|antivirals?|vaccines?|supplements?|preparations?|products?|relaxants?|depressants?|stimulants?|binders?|resins?|contraceptives?|diuretics?|anticoagulants?|sequestrants?|compounds?|immunosuppressants?|sedatives?|analgesics?|anesthetics?|antihypertensives?|antidepressants?|antipsychotics?|antiepileptics?|inducers?|substrates?|salts?)"
_EMPTY = frozenset(
    "other another these those such certain some any all both each this that the a an concomitant concomitantly concurrent additional of with following or and many several most new same drug drugs interacting study studied "
    "alternative alternate affected two three first second prescribed approved selected select multiple specific common known currently taking receiving using use when if include including its their your our own active co administered "
    "coadministered given individual marketed available investigational companion single different medicinal which to in for by as from than on at more less no not other's prior previous generic brand name combination appropriate suitable oral "
    "pharmaceutical finished component components ingredient excipient blood treatment standard background supportive adjunctive long-term term further "
    "either neither clinically important significant relevant clinical presents take taking list partial mixed full prescription non-prescription nonprescription over-the-counter certain potentially investigational initiate interrupt enzyme while discontinue discontinuing dose doses dosage reduced effective potential maximum initial".split()
)
_CLASS_PHRASE = re.compile(rf"\b(?P<modifiers>(?:[A-Za-z][\w/'-]*\s+(?:and/or\s+|and\s+|or\s+)?){{1,4}}){_HEAD}\b", re.IGNORECASE)
_RELATIVE = re.compile(
    r"\b(?:drugs?|agents?|medications?|medicines?|medicinal products?|products?|substances?|compounds?)\s+(?:\([^)]{3,40}\)\s*)?(?P<relative>(?:that|which|known to|likely to|with|associated with|causing|affecting|containing|increasing|metaboli[sz]ed by|eliminated by|excreted by|whose)\s+[^.,;:()\x01]{4,90})",
    re.IGNORECASE,
)
_RELATIVE_STOP = re.compile(
    r"\s+(?:should|must|would|is|are|was|were|has|have|be|results?|leads?|and|concomitant|coadministration|when|many|some|several|these|this|while|during|unless|because|since|if|with concomitant|concomitantly|concurrently|together|in patients|requires?|whenever|prior|before|at the same time|use|to avoid)\b|\s+(?:may|can|could|will)\b"
    r"|\s+(?:with|to|by|in)\s+(?:the\s+)?(?:use|concomitant)\b",
    re.IGNORECASE,
)
_RESTRICTING = frozenset("potent systemic topical ophthalmic inhaled intravenous iv injectable parenteral live attenuated nonselective non-selective selective long-acting short-acting high-dose low-dose loop potassium-depleting centrally-acting peripheral oral".split())
_PRONOUN = re.compile(r"^(?:that|which|with)\s+(?:similar|this|these|those|it|a|the|an)\b", re.IGNORECASE)
_ELECTROLYTES = frozenset("potassium sodium calcium magnesium phosphate phosphorus glucose chloride bicarbonate iron creatinine cholesterol cortisol estradiol testosterone thyroxine hormone urea ammonia bilirubin albumin glycine histamine serotonin dopamine norepinephrine epinephrine insulin lactate zinc copper".split())
_LEVEL = re.compile(r"\s*(?:levels?|concentrations?|values?|status|balance|depletion|excretion|retention|homeostasis|metabolism|clearance|absorption|loss|intake|channels?|receptors?|reuptake|transporters?|secretion|supplementation|release)\b", re.IGNORECASE)
_BEFORE_LEVEL = re.compile(r"(?:serum|plasma|blood|urinary|urine|whole blood|total|free|elevated|low|monitor|increased|decreased|(?:depletion|release|reuptake|levels?|concentrations?) of(?: \w+ (?:and|or))?)\s+$", re.IGNORECASE)
_OTHER = re.compile(r"\b(?:other|another|additional)\s+(?:[\w/-]+\s+){0,4}$", re.IGNORECASE)
_HAZARD = re.compile(r"toxic|serotonergic|depressant|prolong|QT|bleeding|hemostasis|seizure|potassium|hypotens|immunosuppress", re.IGNORECASE)
_AND_OTHER = re.compile(r"(?:\band|\bor|,|\blike|\bas with)\s+(?:all\s+)?other\s+(?:[\w-]+\s+){0,2}$", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:concomitant\w*|concurrent\w*|combin\w+|co-?\s?administ\w*|use of|with)\b[^.;]*$", re.IGNORECASE)
_COMPOUND = re.compile(r"[- ](?:deplet\w+|lowering|sparing|releasing|induced|associated|related|resistant|dependent|positive|refractory|sensitive|naive|tolerant|like|receptors?|channels?|reuptake|deficien\w+|synth(?:et)?ase|oxidase)\b", re.IGNORECASE)
_NEGATIVE_CONTEXT: dict[str, re.Pattern[str]] = {
    "glucose": re.compile(r"(?!\s+(?:solution|infusion|tablets?|gel|injection|containing))", re.IGNORECASE),
    "thyroid": re.compile(r"(?!\s+(?:products?|preparations?|extracts?|tablets?|usp|desiccated))", re.IGNORECASE),
}
_ACTING = ("lowering", "blocking", "depleting", "sparing", "reducing", "acting", "containing", "inducing", "releasing", "raising")
_LEADING_OTHER = re.compile(r"(?:other|another)\s+", re.IGNORECASE)
_CO_USED = re.compile(r"\b(?:concomitantly|concurrently)\s+(?:used|administered|given|taken|prescribed)\s+$|\bco-?administered\s+$", re.IGNORECASE)
_NON = re.compile(r"\bnon[- ]$", re.IGNORECASE)
_NOT_THESE = re.compile(r"(?:with (?:no|minimal|low|little|less)|(?:that|which) (?:do|does|are|is) not)\b", re.IGNORECASE)
_STRENGTH_ALONE = re.compile(r"(?:(?:strong|moderate|weak|potent)\s+(?:(?:or|and)\s+)?)+(?:inhibitors?|inducers?|substrates?)|therapeutic agents?", re.IGNORECASE)
_NEVER = frozenset({"food", "foods", "meal", "meals", "diet", "t3", "t4", "water", "air", "oxygen", "chemotherapy", "alcoholic", "breast milk", "driving", "exercise"})
_COORDINATED = re.compile(r"^(?:potentially\s+)?(?P<first>[\w-]+(?:ic|al|ive|ory|ant))\s+(?:and/or|and|or)\s+(?:potentially\s+)?(?P<second>[\w-]+(?:ic|al|ive|ory|ant))\s+(?P<head>\w+)$", re.IGNORECASE)
_ORDINAL_CLASS = re.compile(r"\bClass\s+(?P<class>IA|IC|IB|III|1A|1C|1B|3)\b(?=(?:[^.;]|\.g|\.,|\. ?,){0,90}?antiarrhythmic)(?:\s+antiarrhythmic\s+(?:agents?|drugs?|medications?))?")
_CANONICAL: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:prolong|lengthen)\w*\b.*\bQT|\bQTc?\b.*\bprolong", re.IGNORECASE), "drugs that prolong the QT interval"),
    (re.compile(r"\b(?:increase|affect|associated)\w*\b.*\brisk\b.*\bbleeding|increase bleeding", re.IGNORECASE), "drugs that increase the risk of bleeding"),
)
_FIRST_PARTS = re.compile(r"[\s,/+]+")


@lru_cache(maxsize=2)
def thing_finder(lexicon: Lexicon, document: Document, subject: EntityId, ingredients: tuple[IngredientRef, ...]) -> ThingFinder:
    """The finder for one document and its subject; the last ones are kept, because every proposer asks for them."""
    return ThingFinder(lexicon, document, (subject, *(i.id for i in ingredients)), ingredients)


class ThingFinder:
    """Finds the things of one document's texts. Knows the names of the product that the document is about."""

    def __init__(self, lexicon: Lexicon, document: Document, ids: Iterable[EntityId], ingredients: Sequence[IngredientRef]) -> None:
        """`ids` are the subject and its ingredients; their classes count as the label's own."""
        self._lexicon = lexicon
        self._own = frozenset(ids)
        self._own_classes = frozenset(c for i in self._own for c in lexicon.classes_of(i))
        names = {n for p in document.products for n in (*p.brand_names, p.generic_name, *(s.name for s in p.substances))} | {i.name for i in ingredients}
        names |= {_FIRST_PARTS.split(n)[0] for p in document.products for n in p.brand_names}
        keys = sorted({re.escape(n.strip()) for n in names if len(n.strip()) > 2}, key=lambda k: (-len(k), k))
        self._own_names = re.compile(rf"(?<!\w)(?:{'|'.join(keys)})(?!\w)", re.IGNORECASE) if keys else None
        self._own_target = Target(next(iter(ids)), "", None)

    def find(self, shadow: Shadow, blank: str) -> list[Thing]:
        """The things of a folded text, left to right, none overlapping. `blank` is the text without cross-references."""
        taken = _Taken()
        out: list[Thing] = []

        def keep(things: Iterable[Thing]) -> None:
            for thing in things:
                if not taken.covers(thing.start, thing.end):
                    taken.add(thing.start, thing.end)
                    out.append(thing)

        keep(self._role(r) for r in find_roles(blank))
        keep(t for m in self._lexicon.mentions(shadow) if not taken.covers(m.start, m.end) and blank[m.start] == shadow.text[m.start] and (t := self._known(m, blank)) is not None)
        keep(Thing(m.start(), m.end(), Kind.PARTNER, (self._own_target,), own=True) for m in self._own_matches(blank))
        keep(self._relatives(blank, taken))
        keep(self._phrases(blank, taken))
        return sorted(out, key=lambda t: t.start)

    def _own_matches(self, blank: str) -> Iterable[re.Match[str]]:
        return self._own_names.finditer(blank) if self._own_names is not None else ()

    def _known(self, mention: Mention, blank: str) -> Thing | None:
        ids = [i for i in mention.ids if i.type != EntityType.ENZYME_ROLE]
        if not ids:
            return None
        best = min(ids, key=lambda i: (_PREFERENCE.index(EntityType(i.type)) if EntityType(i.type) in _PREFERENCE else 99, i))
        words = blank[mention.start : mention.end]
        key = words_key(words)
        if _NON.search(blank[max(0, mention.start - 5) : mention.start]) or key in _NEVER or _COMPOUND.match(blank, mention.end) or (key in _NEGATIVE_CONTEXT and _NEGATIVE_CONTEXT[key].match(blank, mention.end)):
            return None
        if key in _ELECTROLYTES and (_LEVEL.match(blank, mention.end) or _BEFORE_LEVEL.search(blank[max(0, mention.start - 40) : mention.start])):
            return None
        entity = self._lexicon.ingredient_of(best)
        kind = Kind.PARTNER if best.type in PARTNER_TYPES else Kind.STATE if best.type in STATE_TYPES else Kind.ALLERGEN
        own = entity in self._own or (entity in self._own_classes and self._means_own(blank, mention))
        thing = Thing(mention.start, mention.end, kind, (Target(entity, words),), own=own)
        return thing if own or kind is not Kind.PARTNER or entity.type != EntityType.DRUG_CLASS else self._restricted(thing, blank)

    def _means_own(self, blank: str, mention: Mention) -> bool:
        """True when a class that the product belongs to stands for the product: not as "other NSAIDs", but as "like other NSAIDs"."""
        if _HAZARD.search(blank[mention.start : mention.end]):
            return False
        words = blank[mention.start : mention.end]
        before = blank[max(0, mention.start - 120) : mention.start] + (_LEADING_OTHER.match(words) or [""])[0]
        if _CO_USED.search(before):
            return False
        if _OTHER.search(before) is None:
            return True
        return self._own_names is not None and re.search(rf"(?:{self._own_names.pattern})[\w\s,-]{{0,30}}{_AND_OTHER.pattern}", before, re.IGNORECASE) is not None and _TOGETHER.search(re.split(r"[.;]", before)[-1]) is None

    def _restricted(self, thing: Thing, blank: str) -> Thing:
        """A class with the adjective before it that narrows it ("potent diuretics"): looked up whole, else by the label's words."""
        before = re.search(r"([\w-]+)\s+$", blank[max(0, thing.start - 24) : thing.start])
        if before is None or before[1].lower() not in _RESTRICTING:
            return thing
        start = thing.start - len(before[0])
        words = blank[start : thing.end]
        found = self._lexicon.lookup(words, PARTNER_TYPES)
        target = Target(found[0], words) if found else uncoded(EntityType.DRUG_CLASS, words)
        return replace(thing, start=start, targets=(target,))

    def _role(self, mention: RoleMention) -> Thing:
        targets: list[Target] = []
        for role in mention.roles:
            entity = self._lexicon.role(role)
            targets.append(Target(entity, role.name) if entity is not None else uncoded(EntityType.ENZYME_ROLE, role.name))
        return Thing(mention.start, mention.end, Kind.PARTNER, tuple(targets), joint=mention.joint)

    def _relatives(self, blank: str, taken: _Taken) -> Iterable[Thing]:
        for m in _RELATIVE.finditer(blank):
            own_verb = re.match(r"(?:that|which)\s+(?:may|can|could|will|are|have)\s", m["relative"], re.IGNORECASE)
            stop = _RELATIVE_STOP.search(blank, m.start("relative") + (own_verb.end() if own_verb else 5), m.end())
            end = stop.start() if stop is not None else m.end()
            words = blank[m.start() : end].strip()
            if taken.ends_at(m.start() - 1) or "may require" in m["relative"] or _NOT_THESE.match(m["relative"]) or _PRONOUN.match(m["relative"]) or re.search(r"\b(?:of|the|by|to|with|in|and|for|from)$", words) or len(words.split()) < 3 or taken.within(m.start(), end):
                continue
            yield Thing(m.start(), m.start() + len(words), Kind.PARTNER, (self._named(_canonical(words)),))

    def _phrases(self, blank: str, taken: _Taken) -> Iterable[Thing]:
        for m in _CLASS_PHRASE.finditer(blank):
            start = m.start()
            words = list(re.finditer(r"[\w/'-]+", m["modifiers"]))
            while words and words[0][0].lower() in _EMPTY:
                words.pop(0)
            last_empty = max((i for i, w in enumerate(words) if w[0].lower() in _EMPTY or (w[0].endswith(("ing", "ed")) and not w[0].lower().endswith(_ACTING))), default=-1)
            words = words[last_empty + 1 :]
            if not words:
                continue
            start = m.start("modifiers") + words[0].start()
            phrase = blank[start : m.end()]
            if taken.covers(start, m.end()) or not _plausible(words) or _STRENGTH_ALONE.fullmatch(phrase):
                continue
            yield Thing(start, m.end(), Kind.PARTNER, tuple(self._named(name) for name in _names(phrase)))
        for m in _ORDINAL_CLASS.finditer(blank):
            number = m["class"].replace("1", "I").replace("3", "III")
            if not taken.covers(m.start(), m.end()):
                yield Thing(m.start(), m.end(), Kind.PARTNER, (self._named(f"class {number} antiarrhythmics"),))

    def _named(self, phrase: str) -> Target:
        found = self._lexicon.lookup(phrase, PARTNER_TYPES)
        return Target(found[0], phrase) if found else uncoded(EntityType.DRUG_CLASS, phrase)


def _names(phrase: str) -> tuple[str, ...]:
    """The classes of a phrase: "neurotoxic and/or nephrotoxic drugs" are two."""
    m = _COORDINATED.match(phrase)
    return (f"{m['first']} {m['head']}", f"{m['second']} {m['head']}") if m is not None else (phrase,)


def _canonical(words: str) -> str:
    """The name under which the vocabulary keeps a class that labels describe in many ways."""
    return next((name for pattern, name in _CANONICAL if pattern.search(words)), words)


def uncoded(kind: EntityType, words: str) -> Target:
    """A target that the label's words alone name."""
    name = re.sub(r"\s+", " ", words).strip(" ,.;:-")
    entity = Entity(mint_uncoded(kind, name), kind, name, labels=(Label(name, "en", "label", preferred=True),))
    return Target(entity.id, name, entity)


def _plausible(words: list[re.Match[str]]) -> bool:
    """True when the modifiers look like a class name: no verbs or sentence starts among them."""
    text = normal_words(" ".join(w[0] for w in words))
    return not re.search(r"\b(?:avoid|monitor|may|can|should|increase[sd]?|reduce[sd]?|decrease[sd]?|consider|administer|effects?|interactions?|is|are|was|were|be|patients?|inhibit|induce|start|stop|adjust|use|used|affect)\b", text)


class _Taken:
    """Stretches that are spoken for; asks in logarithmic time, because a section may name a thousand things."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, start: int, end: int) -> None:
        at = bisect_left(self._starts, start)
        self._starts.insert(at, start)
        self._ends.insert(at, end)

    def covers(self, start: int, end: int) -> bool:
        """True when a stretch shares a character with `[start, end)`."""
        at = bisect_left(self._starts, end)
        return at > 0 and self._ends[at - 1] > start

    def within(self, start: int, end: int) -> bool:
        """True when a whole stretch lies within `[start, end)`."""
        at = bisect_left(self._starts, start)
        return at < len(self._starts) and self._ends[at] <= end

    def ends_at(self, position: int) -> bool:
        """True when a stretch ends at the position."""
        at = bisect_left(self._starts, position)
        return at > 0 and self._ends[at - 1] == position
