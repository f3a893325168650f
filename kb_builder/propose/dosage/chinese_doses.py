"""Doses of Chinese package inserts: 【用法用量】 read clause by clause, with what stands before each dose as its patients, its use and its route."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from kb_builder.propose.chinese.sentences import Sentence, sentences
from kb_builder.propose.dosage.chinese_before import Before, read_before
from kb_builder.propose.dosage.chinese_dose_headings import Scope, read_heading
from kb_builder.propose.dosage.chinese_dose_tables import table_dose_drafts
from kb_builder.propose.dosage.chinese_rulings import drafts_of
from kb_builder.propose.drafts import Draft
from kb_builder.propose.reading.blocks import Reading
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Target
from ontology.model.dosing import AmountBasis
from ontology.model.guards import Category, Interval, Opaque, leaves
from ontology.model.spans import SpanRole
from ontology.text.doses import DosePhrase, read_doses

_OR_UNCERTAIN = re.compile(r"例如|如果|研究|试验|受试者|曾|过量|中毒|规格|每[片粒支瓶袋]含|相当于|配制|稀释|溶于|溶解")
_STEP = re.compile(r"(?:增加|递增|加量|减少|递减|减量)\s*$")
_SPELLS = re.compile(r"[\s,:(]*(?:即|为|每次|一次|每日|一日)*\s*")
_CARRIED = re.compile(r"(?:者|患者|病人|人|时)$")


def chinese_dose_drafts(reading: Reading, lexicon: Lexicon, anyone: Target) -> Iterator[Draft]:
    """The regimens and limits of a dosing section; `anyone` is the object of a dose that the insert gives for no use of its own."""
    tables = [t for t in reading.tables.placed if t.lines]
    standing, ended, scope = Before(), True, Scope()
    for sentence in sentences(reading):
        if any(t.start <= sentence.start < t.end for t in tables):
            continue
        heading = read_heading(reading, sentence, lexicon)
        if heading is not None:
            standing, ended, scope = Before(), True, heading
            continue
        standing = Before() if ended else standing
        yield from (scope.over(draft) for draft in _of_sentence(reading, sentence, lexicon, anyone, standing))
        own = read_before(reading, sentence.start, _first_dose(reading, sentence), lexicon)
        standing = _carried(own, reading.blank) if own.limits or own.uses else standing
        ended = reading.blank[sentence.end : sentence.end + 1] != ";"
    for table in tables:
        yield from table_dose_drafts(reading, table, lexicon, anyone)


def chinese_doses_of_people(reading: Reading, lexicon: Lexicon, anyone: Target) -> Iterator[Draft]:
    """The doses that a section on children, the old or mothers gives for people it names in the same sentence."""
    for draft in chinese_dose_drafts(reading, lexicon, anyone):
        if any(isinstance(leaf, Interval | Category) for limit in draft.limits for leaf in leaves(limit.guard)):
            yield draft


def _carried(before: Before, text: str) -> Before:
    """What goes on behind a semicolon: people, organs and uses; of words that restrict only those that name patients."""
    kept = tuple(r for r in before.limits if not isinstance(r.guard, Opaque) or _CARRIED.search(r.guard.text) or _CARRIED.match(text, r.end, r.end + 2))
    return replace(before, limits=kept)


def _first_dose(reading: Reading, sentence: Sentence) -> int:
    found = read_doses(reading.blank, sentence.start, sentence.end)
    return found[0].start if found else sentence.end


def _of_sentence(reading: Reading, sentence: Sentence, lexicon: Lexicon, anyone: Target, standing: Before) -> Iterator[Draft]:
    text = reading.blank
    if _OR_UNCERTAIN.search(text, sentence.start, sentence.end):
        return
    before = read_before(reading, *sentence.lead, lexicon) if sentence.lead is not None else standing
    at = sentence.start
    phrases = read_doses(text, sentence.start, sentence.end)
    for phrase, following in zip_longest(phrases, phrases[1:]):
        if _is_spelled_out(text, phrase, following):
            continue
        if _STEP.search(text[at : phrase.start]):
            at = phrase.end
            continue
        before = _joined(before, read_before(reading, at, phrase.start, lexicon))
        yield from drafts_of(reading, phrase, before, anyone, (sentence.start, sentence.end), at, ((sentence.lead, SpanRole.HEADING),) if sentence.lead else ())
        at = phrase.end


def _joined(before: Before, own: Before) -> Before:
    """What holds for a dose: its own patients and use, else those of the dose before it; words about its use alone leave the patients standing."""
    if not own.limits and not own.uses:
        return replace(before, route=own.route or before.route)
    if own.uses or any(not isinstance(r.guard, Opaque) or _CARRIED.search(r.guard.text) for r in own.limits):
        return own
    people = tuple(r for r in before.limits if not isinstance(r.guard, Opaque))
    return replace(own, limits=(*people, *own.limits), uses=before.uses)


def _is_spelled_out(text: str, phrase: DosePhrase, following: DosePhrase | None) -> bool:
    """True for a share of the dose that the next words give as an amount ("剂量加倍, 每次1.5g")."""
    if following is None or not all(a.basis is AmountBasis.FRACTION for a in phrase.amounts) or any(a.basis is AmountBasis.FRACTION for a in following.amounts):
        return False
    return _SPELLS.fullmatch(text, phrase.end, following.start) is not None
