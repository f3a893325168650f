"""Chinese inserts: contraindications (【禁忌】) and interactions (【药物相互作用】) as sentences, numbered items and tables give them.

"对A或其他B类药物过敏者禁用", "C、D患者禁用", "孕妇及哺乳期妇女禁用", "禁止与E合用", "与F合用时应监测G". The language has no word gaps: clauses are
cut at stops and commas, names are found by the vocabulary, and what it does not know is taken from the list positions.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kb_builder.propose.drafts import Draft, Source
from kb_builder.propose.lexicon import STATE_TYPES, Lexicon
from kb_builder.propose.reading import Block, Reading
from kb_builder.propose.restrictions import Restriction
from kb_builder.propose.things import Kind, Target, Thing, uncoded
from ontology.model.advice import Action, Step
from ontology.model.claims import Polarity, Strength
from ontology.model.entities import EntityType
from ontology.model.facts import ConditionState, Whose
from ontology.model.guards import HasCondition
from ontology.text.amounts import find_bounds, separation_hours

_SENTENCE = re.compile(r"[^。;!?\n\u2029]+")
_HAN = re.compile(r"[一-鿿]")
_TAG = re.compile(r"<[^<>]*>")
_NUMBERING = re.compile(r"^\s*(?:[(]?\d{1,2}[.)、]\s*|[①-⑳]|[一二三四五六七八九十]+、)\s*")
_SEPARATOR = re.compile(r"[、,]|(?:以及|或者|和|及|或|与)")
_TAIL = re.compile(r"(?:的)?(?:患者|病人|者|人群|人|妇女)?(?:应|均|一律)?(?:禁用|忌用|慎用|避免使用|不宜使用|应避免使用|禁止使用|不推荐使用|不应使用)$")
_ALLERGY = re.compile(r"(?:对|因|曾因|有)(?P<what>[^,。;]{1,80}?)(?:(?:发生|出现|引起)[^,。;]{0,20})?(?:严重)?过敏(?!性)(?:反应|史)?")
_WITH = re.compile(r"伴有|合并|并发")
_PEOPLE = re.compile(r"^(?P<who>[^,]{2,40}?)(?:患者|病人)(?=[^、,及和或]{2,})")
_AGE = re.compile(r"儿童|婴儿|新生儿|早产儿|岁|月龄")
_OTHER = re.compile(r"^(?:其他|其它|等|曾|的|及|对|任何|本品(?:任何|中任何)?)+")
_COMPONENT = re.compile(r"(?:成份|成分|辅料)$")
_PRODUCT = re.compile(r"^(?:本品|该药|此药|本药)$")
_WITH_WHOM = re.compile(r"与(?P<who>[^,。;]{1,60}?)(?:合用|同用|同服|联用|并用|同时(?:使用|服用|应用)|联合(?:使用|应用)|之间)")


@dataclass(frozen=True, slots=True)
class _Frame:
    action: Action
    pattern: re.Pattern[str]
    strength: Strength


@dataclass(frozen=True, slots=True)
class _Book:
    version: str
    frames: tuple[_Frame, ...]
    denials: re.Pattern[str]
    no_adjustment: re.Pattern[str]
    effects: re.Pattern[str]


@cache
def _book() -> _Book:
    data = tomllib.loads(files("kb_builder.propose").joinpath("actions_zh.toml").read_text(encoding="utf-8"))
    joined = {k: re.compile("|".join(row["pattern"] for row in data[k])) for k in ("denial", "no_adjustment", "effect")}
    frames = tuple(_Frame(Action(r["action"]), re.compile(r["pattern"]), Strength(r["strength"])) for r in data["frame"])
    return _Book(data["version"], frames, joined["denial"], joined["no_adjustment"], joined["effect"])


def is_chinese(text: str) -> bool:
    """True when a third of the text's letters, markup left out, are Chinese characters."""
    plain = _TAG.sub("", text)
    letters = sum(c.isalpha() for c in plain)
    return letters > 0 and len(_HAN.findall(plain)) * 3 >= letters


def contraindications(reading: Reading, own: Sequence[Target], lexicon: Lexicon, *, own_section: bool) -> Iterator[Draft]:
    """In whom the insert forbids its product, advises against it, or asks for caution."""
    reader = _States(reading, own, lexicon)
    for start, end in _sentences(reading.blank):
        sentence = reading.blank[start:end]
        frame = next(
            (
                f
                for f in _book().frames
                if f.action in (Action.CONTRAINDICATED, Action.AVOID, Action.NOT_RECOMMENDED, Action.CAUTION) and f.pattern.search(sentence)
            ),
            None,
        )
        if frame is None or _WITH_WHOM.search(sentence) or re.search(r"同时|合用|同服", sentence):
            continue
        if own_section or _TAIL.search(sentence.rstrip()) or "应避免使用" in sentence:
            yield from reader.drafts(start, end, frame.action, frame.strength)


def interactions(reading: Reading) -> Iterator[Draft]:
    """What the insert says of taking its product together with another drug or food."""
    for block in reading.blocks:
        if block.row:
            yield from _row(reading, block)
    for start, end in _sentences(reading.blank):
        if not any(b.table and any(s.start < end and start < s.end for s in b.statements) for b in reading.blocks):
            yield from _sentence(reading, start, end)


def interactions_elsewhere(reading: Reading) -> Iterator[Draft]:
    """The same of another section: only sentences that speak of taking two drugs together and say what to do."""
    for start, end in _sentences(reading.blank):
        if re.search(r"合用|同用|同服|同时(?:使用|服用|应用)|联用|并用", reading.blank[start:end]):
            yield from (d for d in _sentence(reading, start, end) if d.source is Source.DIRECTIVE)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    for m in _SENTENCE.finditer(text):
        numbering = _NUMBERING.match(m[0])
        start = m.start() + (numbering.end() if numbering else 0)
        while start < m.end() and text[start].isspace():
            start += 1
        end = m.end()
        while end > start and text[end - 1].isspace():
            end -= 1
        if _HAN.search(text, start, end):
            yield start, end


class _States:
    """Reads the patients that a sentence names."""

    def __init__(self, reading: Reading, own: Sequence[Target], lexicon: Lexicon) -> None:
        self._reading = reading
        self._own = own
        self._lexicon = lexicon

    def drafts(self, start: int, end: int, action: Action, strength: Strength) -> Iterator[Draft]:
        sentence = self._reading.blank[start:end]
        allergy = _ALLERGY.search(sentence)
        if allergy is not None:
            pairs: Iterator[tuple[Target, int, int, tuple[Restriction, ...]]] = self._allergens(allergy["what"], start + allergy.start("what"))
        else:
            tail = _TAIL.search(sentence)
            pairs = self._conditions(sentence[: tail.start()] if tail else sentence, start)
        for target, at, until, limits in pairs:
            yield Draft(
                self._reading, "contraindicated_in", target, (at, until), (start, end), (Step(action, Whose.SUBJECT),), limits=limits, strength=strength
            )

    def _allergens(self, phrase: str, offset: int) -> Iterator[tuple[Target, int, int, tuple[Restriction, ...]]]:
        for at, words in _members(phrase, offset):
            until = at + len(words)
            bare = re.sub(r"(?:等|类)?(?:药物|药品|药|抗生素)?$", "", words) or words
            if _PRODUCT.match(bare):
                yield from ((t, at, until, ()) for t in self._own)
            elif _COMPONENT.search(bare):
                yield uncoded(EntityType.ALLERGEN, bare), at, until, ()
            else:
                found = [t for t in self._reading.things_in(at, until) if t.kind in (Kind.PARTNER, Kind.ALLERGEN)]
                for thing in found:
                    yield from ((t, thing.start, thing.end, ()) for t in (self._own if thing.own and thing.type != EntityType.DRUG_CLASS else thing.targets))
                if not found:
                    yield uncoded(EntityType.ALLERGEN, bare), at, until, ()

    def _conditions(self, phrase: str, offset: int) -> Iterator[tuple[Target, int, int, tuple[Restriction, ...]]]:
        limits: tuple[Restriction, ...] = ()
        with_ = _WITH.search(phrase)
        if with_ is not None:
            lead = phrase[: with_.start()].removesuffix("患者")
            known = self._lexicon.lookup(lead.strip(), STATE_TYPES)
            if known:
                limits = (Restriction(HasCondition(known[0], lead, ConditionState.ACTIVE), offset, offset + len(lead)),)
            phrase, offset = phrase[with_.end() :], offset + with_.end()
        people = _PEOPLE.match(phrase)
        phrase = people["who"] if people is not None else phrase
        for at, words in _members(phrase, offset):
            until = at + len(words)
            name = re.sub(r"^(?:有|曾有|患有|以及)|(?:的)?(?:患者|病人|者|史)$", "", words)
            bounds = find_bounds(self._reading.blank[at:until])
            own_limits = (*limits, *(Restriction(b.interval, at + b.start, at + b.end) for b in bounds))
            found = self._lexicon.lookup(name, STATE_TYPES) or self._lexicon.lookup(name.replace("妇女", ""), STATE_TYPES)
            if _AGE.search(name) and bounds:
                yield uncoded(EntityType.POPULATION, words), at, until, own_limits
            elif found:
                yield Target(found[0], name), at, until, own_limits
            elif _HAN.search(name) and len(name) <= 30:
                yield uncoded(EntityType.CONDITION, name), at, until, own_limits


def _members(phrase: str, offset: int) -> Iterator[tuple[int, str]]:
    """The members of a list with their places, without "other" and "etc."; brackets are left out."""
    blank = re.sub(r"\([^()]*\)", lambda m: " " * len(m[0]), phrase)
    at = 0
    for m in [*_SEPARATOR.finditer(blank), None]:
        piece = blank[at : m.start() if m else len(blank)]
        lead = _OTHER.match(piece.lstrip())
        start = at + len(piece) - len(piece.lstrip()) + (lead.end() if lead else 0)
        words = blank[start : at + len(piece)].strip()
        if words:
            yield offset + start, words
        at = m.end() if m else at


def _row(reading: Reading, block: Block) -> Iterator[Draft]:
    """A table row: the first cell names the partners, the others what happens and what to do."""
    if block.heading is None or not block.statements:
        return
    text = "".join(reading.blank[s.start : s.end] + "。" for s in block.statements)
    steps, strength = _steps(text)
    last = next((s for s in reversed(block.statements) if _steps(reading.blank[s.start : s.end])[0]), block.statements[-1])
    partners = _partners(reading, *block.heading)
    for target, at, until in partners:
        if steps:
            yield Draft(reading, "interacts_with", target, (at, until), (last.start, last.end), steps, heading=block.heading, strength=strength)


def _sentence(reading: Reading, start: int, end: int) -> Iterator[Draft]:
    sentence = reading.blank[start:end]
    book = _book()
    if book.no_adjustment.search(sentence):
        steps: tuple[Step, ...] = tuple(s for s in _steps(book.no_adjustment.sub(lambda m: " " * len(m[0]), sentence))[0])
        for target, at, until in _partners(reading, start, end):
            if steps:
                yield Draft(reading, "interacts_with", target, (at, until), (start, end), steps, strength=Strength.SHOULD)
            else:
                no = (Step(Action.NO_ADJUSTMENT, Whose.EITHER),)
                yield Draft(reading, "interacts_with", target, (at, until), (start, end), no, strength=Strength.INFORMATIONAL, polarity=Polarity.NEGATIVE)
        return
    if book.denials.search(sentence):
        return
    steps, strength = _steps(sentence)
    source = Source.DIRECTIVE
    if not steps:
        if not book.effects.search(sentence):
            return
        steps, strength, source = (Step(Action.CAUTION, Whose.EITHER),), Strength.CONSIDER, Source.EFFECT
    for target, at, until in _partners(reading, start, end):
        yield Draft(reading, "interacts_with", target, (at, until), (start, end), steps, strength=strength, source=source)


def _steps(text: str) -> tuple[tuple[Step, ...], Strength]:
    """The plan of a sentence, strictest first, and how strongly it is put."""
    found = [f for f in _book().frames if f.pattern.search(text)]
    steps = {f.action: Step(f.action, Whose.EITHER, separate_hours=separation_hours(text) if f.action is Action.SEPARATE else None) for f in found}
    if len(steps) > 1:
        steps.pop(Action.CAUTION, None)
    return tuple(steps.values()), min((f.strength for f in found), key=list(Strength).index, default=Strength.SHOULD)


def _is_other_class(reading: Reading, thing: Thing) -> bool:
    """True for the product's own class where its other members are meant ("等磺酰脲类药物", "其他磺酰脲类药物")."""
    return thing.type == EntityType.DRUG_CLASS and reading.blank[max(0, thing.start - 2) : thing.start].endswith(("等", "其他", "其它"))


def _partners(reading: Reading, start: int, end: int) -> list[tuple[Target, int, int]]:
    """The partners of a sentence: the known names, and in "与A、B合用" also those that the vocabulary does not know."""
    things: list[Thing] = [t for t in reading.things_in(start, end) if t.kind is Kind.PARTNER and (not t.own or _is_other_class(reading, t))]
    out = [(target, t.start, t.end) for t in things for target in t.targets]
    who = _WITH_WHOM.search(reading.blank, start, end)
    if who is not None:
        for at, words in _members(who["who"], who.start("who")):
            covered = any(t.start < at + len(words) and at < t.end for t in reading.things_in(start, end))
            if not covered and _HAN.search(words) and 2 <= len(words) <= 12 and not _PRODUCT.match(words):
                kind = EntityType.DRUG_CLASS if re.search(r"(?:类|剂|药物|药)$", words) else EntityType.INGREDIENT
                out.append((uncoded(kind, words), at, at + len(words)))
    return out
