"""What one heading or lead sentence says: for what, for whom, beside what, by what route, of what matter.

Words that restrict and that no guard holds stay as `Opaque`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kb_builder.propose.conditions.reader import read_conditions, read_label_conditions
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.conditions.words import condition_words
from kb_builder.propose.dosage.abbreviations import spelled
from kb_builder.propose.dosage.bands import without_words_of_numbers
from kb_builder.propose.dosage.entries import Entry, ScopeKind, kind_of, tidy
from kb_builder.propose.dosage.groups import joined_groups
from kb_builder.propose.dosage.naming import PATIENTS_WITH, named_condition, widened_use
from kb_builder.propose.dosage.runs import Place
from kb_builder.propose.dosage.uses import widened
from kb_builder.propose.dosage.words import dosage_words
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Target, Thing, uncoded
from ontology.model.entities import EntityType
from ontology.model.facts import ConditionState
from ontology.model.guards import AnyOf, Category, Exposure, HasCondition, Interval, Opaque, leaves
from ontology.text.headings import certain_end

_LEVEL = re.compile(
    r"(?:(?:the\s+)?(?:first|second|third|fourth|1st|2nd|3rd)[\s-]+(?:recommended\s+)?(?:dose|dosage)(?:\s+level)?[\s-]+reduction|dose\s+(?:level\s+)?reduction\s+(?:level\s+)?\d|dose\s+level\s*-\s*\d)(?:\s+level)?",
    re.IGNORECASE,
)
"""A rung of the ladder of reductions as a label: its dose is for those who have come to it."""
_EVERYONE = re.compile(
    r"\ball (?:patients|indications|ages|uses)\b|\badults?(?: patients)? (?:and|or) (?:pa?ediatric (?:patients|population)|pa?ediatrics|children)\s*:?\s*$",
    re.IGNORECASE,
)
_NO_NAME = frozenset(["chronic", "acute", "long", "term", "short", "severe", "mild", "moderate", "active", "early", "late", "primary", "secondary", "prior"])
"""Words that name no condition by themselves ("Chronic dosage")."""
_FOR = re.compile(
    r"^(?:in|for|with)\s+(?:(?:the\s+)?(?:treatment|management|prevention|prophylaxis|relief)\s+of\s+|patients\s+with\s+|adults\s+with\s+)?", re.IGNORECASE
)
_RISK = re.compile(r"\b(?:patients|adults|children|at (?:increased )?risk|history|who|receiving|taking)\b", re.IGNORECASE)
_CHANGE = re.compile(r"\b(?:modif\w+|adjust\w+|reduc\w+|interrupt\w+|manag\w+ of|toxicit\w+)\b", re.IGNORECASE)
_DOSES = re.compile(r"\b(?:dos(?:e|es|age|ages|ing)|regimens?|therapy|treatment|schedule|titration)\b", re.IGNORECASE)
"""Words of a heading that make its matter doses; one without them goes on with the matter of the heading above."""
_JOINED = re.compile(r"(?:\s*\([^()]*\))?\s*(?:,|/|\band/or\b|\band\b|\bor\b)+\s*(?:and|or)?\s*(?:[\w-]+\s+){0,3}")
_MANY = 2  # leaves
_LONGEST_MATTER = 16  # words
_NARROWS = re.compile(
    r"\b(?:renal(?! cell)|kidney|hepatic(?! (?:coma|enceph))|liver|creatinine|dialysis|infants?|neonates?|newborns?|child(?:ren)?|adolescents?|pa?ediatric|adults?|geriatric|elderly|older|weigh\w*|pregnan\w+|metaboli[sz]ers?|genotypes?|women|men|males?|females?)\b",
    re.IGNORECASE,
)
"""Words of a heading that say for whom: unread they restrict all the same."""
_OF_A_CAUSE = re.compile(r"\b(?:following|associated with|due to|secondary to|caused by)\b", re.IGNORECASE)
_BY_WEIGHT = re.compile(r"\bweight[- ]based\b|\bby (?:body )?weight\b", re.IGNORECASE)
_OF_ORGAN = re.compile(r"\b(?:renal|kidney|hepatic|liver)\s+(?!impair|insuffic|dysfunct|fail|funct|diseas|cirrho)(?=[a-z]{4})", re.IGNORECASE)
"""The organ of a disease that is no weakness of its function ("liver abscess")."""
_LEADS_TO_PARTNER = re.compile(
    r"\b(?:with|receiving|taking|due to|of|concomitant|concurrent)\s+(?:(?:concomitant|concurrent|use|administration|of|the|with)\s+)*", re.IGNORECASE
)
_LEADS_TO_OWN = re.compile(r"\b(?:treatment|therapy|dosing)?\s*(?:with|receiving|taking)\s+$", re.IGNORECASE)
_UNDER_HEADING = re.compile(r"\b(?:Inhibitors|Inducers)\s+(?=(?:Strong|Moderate|Weak|Potent)\b)")
"""A heading on an enzyme with one on its strong drugs under it."""
_ALONE = re.compile(r"(?:as\s+)?(?:an?\s+)?(?:monotherapy|single[- ]agent(?:\s+therapy)?)", re.IGNORECASE)
_PARTNERED = re.compile(
    r"\b(?:combination|combined|monotherapy|single[- ]agent|alone|concomitant\w*|concurrent\w*|co-?administ\w*|receiving|taking|with(?!out)|without)\b",
    re.IGNORECASE,
)


class HeadingReader:
    """Reads the headings of one section. `indications` is the label's text on indications in lower case, `names` its abbreviations with their words."""

    def __init__(self, reading: Reading, lexicon: Lexicon, indications: str, names: Mapping[str, str] | None = None) -> None:
        self._reading = reading
        self._blank = reading.blank
        self._lexicon = lexicon
        self._indications = indications
        self._names = names or {}

    def entries(self, place: Place, *, lead: bool = False) -> Iterator[Entry]:
        """What a heading or lead sentence says, one entry for each kind of matter."""
        place = (place[0], certain_end(self._blank, *place))
        words = self._blank[slice(*place)]
        things = self._reading.things_in(*place)
        topic = dosage_words().topic(words)
        if not lead and _LEVEL.fullmatch(words.strip(" :\x01")):
            yield Entry(ScopeKind.MATTER, place, condition=Restriction(Opaque(tidy(words)), *place), topic="adverse", at=place[0])
            return
        read = read_conditions(self._blank, *place, things, self._lexicon)
        found = without_words_of_numbers([r for r in read if topic is None or not isinstance(r.guard, Opaque)])
        if len(found) == 1 and isinstance(found[0].guard, Opaque) and self._is_partnered(place):
            found = [self._partner(place)]
        found = [self._without_use(r) for r in found if not self._is_adjective_of_use(r)]
        found, everyone = joined_groups(self._blank, place, [self._whole(r) for r in found if not self._is_of_route(r)], self._is_use_of_label)
        if everyone:
            yield Entry(ScopeKind.PEOPLE, place, at=place[0])
        unsure = not found or any(isinstance(leaf, Opaque) for r in found for leaf in leaves(r.guard))
        used = self._use_in_its_words(words, place, whole=bool(found) or _OF_A_CAUSE.search(words) is not None) if unsure else None
        if used is not None:
            yield Entry(ScopeKind.INDICATION, place, indication=used, at=place[0])
            return
        names = self._joined(list(self._conditions_named(place, things, found)))
        for name, at in [n for n in names if not self._is_use(n[0])]:
            names.remove((name, at))
            found.append(Restriction(HasCondition(name.id, name.words), at, at + len(name.words), () if name.entity is None else (name.entity,)))
        for restriction in tuple(found):
            target = self._as_indication(restriction)
            if target is not None:
                names.append((target, restriction.start))
            else:
                yield Entry(kind_of(restriction), place, condition=restriction, at=restriction.start)
        if not found and not lead and topic is None:
            matter = self._matter(words, place) if not names and _NARROWS.search(words) is None else None
            if matter is not None:
                names.append((matter, place[0]))
            labelled = self._labelled(place) if not names else []
            unread = self._unread(place, names) if not labelled else None
            yield from (Entry(kind_of(r), place, condition=r, at=r.start) for r in labelled)
            if unread is not None:
                yield unread
        for name, at in dict.fromkeys(names):
            yield Entry(ScopeKind.INDICATION, place, indication=name, at=at)
        routes = dosage_words().routes_in(words)
        if routes and not lead:
            yield Entry(ScopeKind.ROUTE, place, routes=routes, at=place[1])
        if not lead and (topic is not None or _DOSES.search(words) or names):
            yield Entry(ScopeKind.MATTER, place, topic=topic, at=place[1])

    def _use_in_its_words(self, words: str, place: Place, *, whole: bool) -> Target | None:
        """The use that a heading names in the very words of the label's indications ("Patients with Relapsed or Refractory ..."); None for others.

        Without conditions read (`whole` false) only a disease of an organ is one by its words: the others are found by their names.
        """
        name = " ".join(_FOR.sub("", PATIENTS_WITH.sub("", words.strip(" :.\x01"))).split())
        organ = _OF_ORGAN.search(name) is not None
        rest = _OF_ORGAN.sub(" ", name)
        if not (whole or organ) or name.lower() not in self._indications or len(name.split()) < _MANY:
            return None
        if _NARROWS.search(rest) or _PARTNERED.search(name) or re.search(r"\d", name):
            return None
        return named_condition(name, self._lexicon) if dosage_words().matter(name) else None

    def _labelled(self, place: Place) -> list[Restriction]:
        """The conditions of a heading that is nothing but the name of a state ("Hepatic Impairment"), where axes hold all of it."""
        everyone = _EVERYONE.search(self._blank, *place)
        if everyone is not None:
            place = (place[0], everyone.start())
        if _NARROWS.search(self._blank, *place) is None:
            return []
        matter = dosage_words().matter(self._blank[slice(*place)])
        at = self._blank.find(matter, *place)
        reads = (read_label_conditions(self._blank, *w, self._reading.things_in(*w), self._lexicon) for w in (place, (at, at + len(matter))))
        return next((read for read in reads if all(isinstance(leaf, Interval | Category) for r in read for leaf in leaves(r.guard))), [])

    def _unread(self, place: Place, names: Sequence[tuple[Target, int]]) -> Entry | None:
        """A heading that says for whom or beside what in words that no guard holds: they restrict all the same. "All patients" opens to everyone."""
        words = self._blank[slice(*place)]
        everyone = _EVERYONE.search(words)
        if everyone is not None and _NARROWS.search(_BY_WEIGHT.sub(" ", words[: everyone.start()])) is None:
            return Entry(ScopeKind.PEOPLE, place, at=place[0])
        narrows = _NARROWS.search(words)
        if narrows is not None:
            behind = [at + len(name.words) for name, at in names if at + len(name.words) <= place[0] + narrows.start()]
            rest = self._blank[max([place[0], *behind]) : place[1]]
            if not any(w not in condition_words().neutral | dosage_words().generic for w in re.findall(r"[a-z][a-z'-]*", rest.lower().replace("-", " "))):
                return None
            opaque = Restriction(Opaque(tidy(dosage_words().matter(rest)) or tidy(rest)), place[0] + narrows.start(), place[1])
            return Entry(ScopeKind.PEOPLE, place, condition=opaque, at=opaque.start)
        if not names and self._is_partnered(place):
            return Entry(ScopeKind.PARTNER, place, condition=self._partner(place), at=place[0])
        return None

    def _is_partnered(self, place: Place) -> bool:
        """True for a heading on something beside the product: treatment with the product itself ("Initiating Treatment with X") is none."""
        words = self._blank[slice(*place)]
        for own in (t for t in self._reading.things_in(*place) if t.own and _LEADS_TO_OWN.search(self._blank, place[0], t.start)):
            led = _LEADS_TO_OWN.search(self._blank, place[0], own.start)
            first = place[0] if led is None else led.start()
            words = words[: first - place[0]] + " " * (own.end - first) + words[own.end - place[0] :]
        return _PARTNERED.search(words) is not None

    def _is_of_route(self, restriction: Restriction) -> bool:
        """True for left-over words of a heading that only name a route or a part of a regimen ("Subcutaneous")."""
        guard = restriction.guard
        words = re.findall(r"[a-z][a-z-]*", guard.text.lower()) if isinstance(guard, Opaque) else []
        return bool(words) and all(w in dosage_words().generic or w == "induction" or dosage_words().routes_in(w) for w in words)

    def _whole(self, restriction: Restriction) -> Restriction:
        """The restriction; a choice of several drugs of which words are left over, as the words it stands on."""
        guard = restriction.guard
        held = leaves(guard) if isinstance(guard, AnyOf) else ()
        if len(held) > _MANY and any(isinstance(leaf, Opaque) for leaf in held) and any(isinstance(leaf, Exposure) for leaf in held):
            return Restriction(Opaque(tidy(self._blank[restriction.start : restriction.end])), restriction.start, restriction.end)
        return restriction

    def _partner(self, place: Place) -> Restriction:
        """The partner that a heading speaks of; its words where no axis holds all of them."""
        held = [m.end() for pattern in (_LEADS_TO_PARTNER, _UNDER_HEADING) for m in pattern.finditer(self._blank, *place)]
        things = self._reading.things_in(*place)
        start = max(held, default=place[0])
        start = next((t.start for t in things if t.start < start < t.end), start)
        read = read_label_conditions(self._blank, start, place[1], things, self._lexicon)
        if len(read) == 1 and all(isinstance(leaf, Exposure) for leaf in leaves(read[0].guard)):
            return read[0]
        words = tidy(self._blank[slice(*place)])
        if _ALONE.fullmatch(words):
            return Restriction(Opaque(f"{words} (without a partner drug)"), *place)
        led = max((m.start() for m in _LEADS_TO_PARTNER.finditer(self._blank, *place) if m.end() == start), default=place[0])
        if any(t.kind is Kind.STATE and t.end <= led and self._blank[t.start : t.end].lower() in self._indications for t in things):
            return Restriction(Opaque(tidy(self._blank[led : place[1]])), led, place[1])
        return Restriction(Opaque(words), *place)

    def _conditions_named(self, place: Place, things: Iterable[Thing], found: Sequence[Restriction]) -> Iterator[tuple[Target, int]]:
        """The conditions of a heading that no guard holds: what the dose is for."""
        words = self._blank[slice(*place)]
        for thing in things:
            if (_RISK.search(words) or _CHANGE.search(words)) and self._blank[thing.start : thing.end].lower() not in self._indications:
                continue
            narrows = _NARROWS.search(self._blank, thing.start, thing.end)
            if (
                thing.kind is Kind.STATE
                and thing.type == EntityType.CONDITION
                and not narrows
                and not any(r.start < thing.end and thing.start < r.end for r in found)
            ):
                at = widened(self._blank, thing.start, thing.end, place[0], self._indications)
                target = thing.targets[0]
                yield (target, at) if at == thing.start else (widened_use(target, " ".join(self._blank[at : thing.end].split()), self._lexicon), at)

    def _is_use(self, target: Target) -> bool:
        """True where the label's indications name the condition, by its words or most of them; always where there are none to compare with."""
        keys = [w for w in re.findall(r"[a-z]{4,}", target.words.lower()) if w not in dosage_words().generic]
        said = sum(w.rstrip("s")[: min(7, len(w) - 1)] in self._indications for w in keys)
        return not self._indications or target.words.lower() in self._indications or (bool(keys) and said * 2 >= len(keys))

    def _joined(self, names: list[tuple[Target, int]]) -> list[tuple[Target, int]]:
        """The names of a heading; those that it joins by a comma, "and" or "or" as one use in its words."""
        out: list[tuple[Target, int, int]] = []
        for target, at in names:
            end = at + len(target.words)
            if out and _JOINED.fullmatch(self._blank, out[-1][2], at):
                first = out[-1][1]
                out[-1] = (uncoded(EntityType.CONDITION, self._blank[first:end]), first, end)
            else:
                out.append((target, at, end))
        return [(target, at) for target, at, _ in out]

    def _is_adjective_of_use(self, restriction: Restriction) -> bool:
        """True for people by the disease that the label is for ("hypertensive"): the heading, or one above it, names the use."""
        noun = dosage_words().adjectives.get(restriction.guard.text.lower()) if isinstance(restriction.guard, Opaque) else None
        return noun is not None and noun in self._indications

    def _without_use(self, restriction: Restriction) -> Restriction:
        """The restriction; a use with a choice of its states behind it ("CML CP, AP, or BC") is told by the states as words: the use is the heading's."""
        members = leaves(restriction.guard) if isinstance(restriction.guard, AnyOf) else ()
        named = [leaf for leaf in members if isinstance(leaf, HasCondition)]
        if len(named) != 1 or len(members) < _MANY + 1 or not all(isinstance(leaf, HasCondition | Opaque) for leaf in members):
            return restriction
        at = self._blank.find(named[0].words, restriction.start, restriction.end)
        states = self._blank[at + len(named[0].words) : restriction.end]
        if (
            at != restriction.start
            or named[0].words.lower() not in self._indications
            or states.upper().replace(" OR ", " or ").replace(" AND ", " and ") != states
        ):
            return restriction
        return Restriction(Opaque(tidy(states)), restriction.end - len(states), restriction.end)

    def _is_use_of_label(self, restriction: Restriction) -> bool:
        return self._as_indication(restriction) is not None

    def _as_indication(self, restriction: Restriction) -> Target | None:
        """The condition of a heading's guard where the label is indicated for it; None for a state that only narrows."""
        guard = restriction.guard
        if isinstance(guard, HasCondition) and guard.state is ConditionState.ACTIVE and guard.words.lower() in self._indications:
            return Target(guard.concept, guard.words)
        return None

    def _matter(self, words: str, place: Place) -> Target | None:
        """What is left of a heading without its generic words, as an uncoded indication where the label's indications name it."""
        if _EVERYONE.search(words):
            return None
        for drug in (t for t in self._reading.things_in(*place) if t.own or t.kind is Kind.PARTNER):
            words = words[: drug.start - place[0]] + " " * (drug.end - drug.start) + words[drug.end - place[0] :]
        matter = dosage_words().matter(_FOR.sub("", words.strip(" :.\x01")))
        if (told := spelled(matter, self._names)) is not None and told.lower() in self._indications:
            return named_condition(told, self._lexicon)
        keys = [w for w in re.findall(r"[a-z]{4,}", matter.lower()) if w not in dosage_words().generic]
        if (
            not keys
            or _NO_NAME.issuperset(keys)
            or re.search(r"(?<![A-Za-z])\d|\byears?\b", matter)
            or len(matter.split()) > _LONGEST_MATTER
            or sum(w.rstrip("s") in self._indications for w in keys) * 2 < len(keys)
        ):
            return None
        return named_condition(" ".join(matter.split()), self._lexicon)
