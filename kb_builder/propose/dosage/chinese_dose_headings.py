"""Headings inside a Chinese dosing section: a short line of its own that names the use or the patients of the doses below it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from kb_builder.propose.chinese.names import StateNames
from kb_builder.propose.chinese.sentences import Sentence
from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.dosage.chinese_before import read_before
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target, uncoded
from ontology.model.entities import EntityType
from ontology.model.guards import Category, Interval, Opaque, leaves
from ontology.model.spans import SpanRole

_LONGEST = 30
_MARKS = re.compile(r"[,。;:!?、]|\d\s*(?:mg|g|ml|片|粒|毫克|克|次)", re.IGNORECASE)
_ALONE_BEFORE = re.compile(r"(?:^|[\n\u2029])[ \t\x01]*(?:\(?[0-9一二三四五六七八九十]{1,2}[).、][ \t]*)?$")
_ALONE_BEHIND = re.compile(r"[ \t]*[\n\u2029](?=[\s\x01]*[^\s\x01])")
_THERAPY = re.compile(r"(?:的)?(?:添加|辅助|联合|单药|替代|维持|预防|长期|短期|急性期)?(?:治疗|用药)$|的预防$")
_PATIENTS = re.compile(r"(?:患者|病人|者|人群|儿童|妇女|老年人|老人|成人)$")
_NAMES_A_USE = re.compile(r"(?:病|症|炎|痛|癌|瘤|感染|发作|癫痫|综合征|血压|血症|不全|衰竭|溃疡|血栓|出血|哮喘|障碍)$")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a heading says of the doses below it, until the next heading."""

    uses: tuple[Target, ...] = ()
    limits: tuple[Restriction, ...] = ()
    place: tuple[int, int] = (0, 0)

    def over(self, draft: Draft) -> Draft:
        """The draft under the heading: its use where the draft names none, its patients where the draft says nothing of that axis."""
        if self.place[0] == self.place[1]:
            return draft
        named = {leaf.axis for r in draft.limits for leaf in leaves(r.guard) if isinstance(leaf, Interval | Category)}
        added = tuple(r for r in self.limits if not named & {leaf.axis for leaf in leaves(r.guard) if isinstance(leaf, Interval | Category)})
        use = self.uses[0] if self.uses and draft.target.id.type == EntityType.POPULATION else None
        if use is None and not added:
            return draft
        cited = (*draft.cited, (self.place, SpanRole.HEADING))
        target, place = (use, self.place) if use is not None else (draft.target, draft.place)
        return replace(draft, target=target, place=place, limits=(*draft.limits, *added), cited=cited)


def read_heading(reading: Reading, sentence: Sentence, lexicon: Lexicon) -> Scope | None:
    """The scope that a line of its own opens, an empty one where it names neither use nor patients; None for what is no heading."""
    text, start, end = reading.blank, sentence.start, sentence.end
    if end - start > _LONGEST or _MARKS.search(text, start, end) or _ALONE_BEFORE.search(text, 0, start) is None or _ALONE_BEHIND.match(text, end) is None:
        return None
    words = " ".join(text[start:end].split())
    core = _THERAPY.sub("", words) or words
    names = StateNames(lexicon)
    if (names.known(core) or _NAMES_A_USE.search(core) is not None) and _PATIENTS.search(words) is None:
        found = names.find(core)
        return Scope((Target(found, words) if found is not None else uncoded(EntityType.CONDITION, words),), (), (start, end))
    limits = read_before(reading, start, end, lexicon).limits
    if _PATIENTS.search(words):
        return Scope((), limits or (Restriction(Opaque(words), start, end),), (start, end))
    return Scope((), tuple(r for r in limits if not isinstance(r.guard, Opaque)), (start, end))
