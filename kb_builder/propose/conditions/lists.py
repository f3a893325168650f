"""Lists of conditions: which members are alternatives, which narrow one another, and whom the people named first are joined to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb_builder.propose.conditions.age_bounds import narrowed, united
from kb_builder.propose.conditions.leaves import axis_of
from kb_builder.propose.conditions.restrictions import Restriction
from ontology.model.facts import Axis
from ontology.model.guards import AllOf, AnyOf, Category, Guard, HasCondition, Interval, Opaque, leaves

_LINK = re.compile(
    r"\b(?:with|who|whose|whom|having|has|have|receiving|taking|on|undergoing|requiring|treated|using|suffering|weighing|given|aged|in|for|when|if)\b",
    re.IGNORECASE,
)
_OF_BIRTH = re.compile(r"\b(?:premature|pre-?term|term|birth|newborn|young|older|small)\b", re.IGNORECASE)
"""States of the first member alone ("premature infants and children")."""

_LONG = 3  # commas from which a list with "or" in it is one of alternatives, whatever word joins its last member

_UNION_AXES = frozenset(
    {Axis.AGE, Axis.RENAL, Axis.HEPATIC, Axis.GENOTYPE, Axis.CHILD_PUGH, Axis.ANCESTRY, Axis.SEX, Axis.PREGNANCY, Axis.LACTATION, Axis.DIALYSIS}
)
_ORGAN_AXES = frozenset({Axis.RENAL, Axis.HEPATIC, Axis.CRCL, Axis.CRCL_INDEXED, Axis.EGFR, Axis.SCR, Axis.CHILD_PUGH, Axis.DIALYSIS})
_PEOPLE_AXES = frozenset({Axis.AGE, Axis.SEX, Axis.ANCESTRY, Axis.POSTNATAL_AGE, Axis.GESTATIONAL_AGE, Axis.WEIGHT, Axis.BSA})


@dataclass(frozen=True, slots=True)
class Term:
    """A leaf in its phrase: how it is joined to the one before ("or", "and", ",", "people" for a new group, "" for none) and the words between."""

    leaf: Restriction
    joint: str
    between: str


def read_group(terms: Sequence[Term]) -> list[Restriction]:
    """One group of people: those named first, and what holds of all of them."""
    cut = next((i for i in range(1, len(terms)) if _opens_tail(terms, i)), None)
    if cut is None or cut == 0:
        return _list(terms)
    last = next((i for i in range(cut - 1, 0, -1) if terms[i].joint), 0)
    if last and _are_sizes(terms[cut:]) and _has_age(terms[:last]) and _has_age(terms[last:cut]):
        sized = [*_list(terms[last:cut]), *_list(terms[cut:])]
        return list(any_of([every_of(_list(terms[:last])), every_of(sized)], start=terms[0].leaf.start, end=terms[-1].leaf.end))
    return [*_list(terms[:cut]), *_list(terms[cut:])]


def _are_sizes(terms: Sequence[Term]) -> bool:
    """True for nothing but weight or surface: behind groups that each have their own age in numbers it is the last one's."""
    return all(isinstance(t.leaf.guard, Interval) and t.leaf.guard.axis in (Axis.WEIGHT, Axis.BSA) for t in terms)


def _has_age(terms: Sequence[Term]) -> bool:
    return any(isinstance(t.leaf.guard, Interval) and t.leaf.guard.axis is Axis.AGE and t.leaf.guard.term is None for t in terms)


def _opens_tail(terms: Sequence[Term], i: int) -> bool:
    """True where the terms before are people only and the words between say what else holds of them ("with", "receiving")."""
    before, here = terms[i - 1].leaf.guard, terms[i]
    if here.joint or _LINK.search(here.between) is None or not all(_is_people(t.leaf.guard) for t in terms[:i]):
        return False
    return not (isinstance(before, Interval) and isinstance(here.leaf.guard, Interval) and before.axis is here.leaf.guard.axis)


def _is_people(guard: Guard) -> bool:
    found = leaves(guard)
    return all(axis_of(leaf) in _PEOPLE_AXES or _is_one_word(leaf) for leaf in found)


def _is_one_word(guard: Guard) -> bool:
    return isinstance(guard, Opaque) and len(guard.text.split()) == 1


def _list(terms: Sequence[Term]) -> list[Restriction]:
    """The members of a list, each with its own parts, joined as the list joins them."""
    members: list[tuple[str, list[Restriction]]] = []
    for term in terms:
        if members and not term.joint:
            members[-1][1].append(term.leaf)
        else:
            members.append((term.joint, [term.leaf]))
    joints = [j for j, _ in members[1:]]
    if joints.count(",") >= _LONG and "or" in joints:
        joints = ["or"] * len(joints)
    for i in range(len(joints) - 1, -1, -1):
        if joints[i] == ",":
            joints[i] = joints[i + 1] if i + 1 < len(joints) else ","
    read = [_tight(parts) for _, parts in members]
    if len(read) == 1:
        return read[0]
    if _unites(read) and not _two_sided(read):
        read = _shared_state(_shared_size(read))
        return list(any_of([every_of(parts) for parts in read if parts], start=terms[0].leaf.start, end=terms[-1].leaf.end))
    if joints[-1] == "and" and "or" in joints and _is_organ(read[-1]) and not any(_is_organ(parts) for parts in read[:-1]):
        alternatives = any_of([every_of(parts) for parts in read[:-1] if parts], start=terms[0].leaf.start, end=read[-2][-1].end)
        return [*alternatives, *read[-1]]
    if "or" in joints:
        runs: list[list[Restriction]] = [list(read[0])]
        for joint, parts in zip(joints, read[1:], strict=True):
            if joint == "or":
                runs.append([])
            runs[-1] += parts
        whom, runs[0] = _led_by(read[0], read[1:], runs[0])
        return [*whom, *any_of([every_of(parts) for parts in runs if parts], start=runs[0][0].start, end=terms[-1].leaf.end)]
    return [part for parts in read for part in parts]


def _led_by(first: Sequence[Restriction], others: Sequence[Sequence[Restriction]], run: list[Restriction]) -> tuple[list[Restriction], list[Restriction]]:
    """The age or organ function before the first of several diseases, which holds for all of them ("adults with A, B, or C"), and the first run without it."""
    at = next((i for i, part in enumerate(first) if isinstance(part.guard, HasCondition)), 0)
    led = list(first[:at])
    axes = all(axis_of(leaf) in _ORGAN_AXES | _PEOPLE_AXES for part in led for leaf in leaves(part.guard))
    plain = all(isinstance(leaf, HasCondition | Opaque) for parts in others for part in parts for leaf in leaves(part.guard))
    named = all(any(isinstance(part.guard, HasCondition) for part in parts) for parts in others)
    return (led, run[at:]) if led and axes and plain and named else ([], run)


def _is_organ(parts: Sequence[Restriction]) -> bool:
    """True for organ function, which holds for every member of the list before it ("patients with A or B and severe renal impairment [see 5.5]")."""
    found = [leaf for part in parts for leaf in leaves(part.guard)]
    return any(axis_of(leaf) in _ORGAN_AXES for leaf in found) and all(axis_of(leaf) in _ORGAN_AXES or isinstance(leaf, Opaque) for leaf in found)


def _shared_size(read: Sequence[list[Restriction]]) -> list[list[Restriction]]:
    """The members with the weight or surface that the last one of a list of young people has ("children and adolescents up to 70 kg") in each."""
    *firsts, last = read
    size = [p for p in last if isinstance(p.guard, Interval) and p.guard.axis in (Axis.WEIGHT, Axis.BSA)]
    if size and all(len(parts) == 1 and _is_young(parts[0].guard) for parts in firsts) and _is_young(last[0].guard):
        return [*([*parts, *size] for parts in firsts), last]
    return list(read)


def _shared_state(read: Sequence[list[Restriction]]) -> list[list[Restriction]]:
    """The members with the state that stands before the first of several ages in each ("immunocompromised adults and children")."""
    *states, first = read[0]
    ages = [first, *(part for parts in read[1:] for part in parts)]
    shared = bool(states) and all(len(parts) == 1 for parts in read[1:]) and all(_is_word(a.guard) and axis_of(a.guard) is Axis.AGE for a in ages)
    if not shared or not all(isinstance(s.guard, Opaque | HasCondition) and s.end <= first.start and not _OF_BIRTH.search(_said(s.guard)) for s in states):
        return list(read)
    return [read[0], *([*states, *parts] for parts in read[1:])]


def _said(guard: Guard) -> str:
    return guard.text if isinstance(guard, Opaque) else guard.words if isinstance(guard, HasCondition) else ""


def _is_young(guard: Guard) -> bool:
    return isinstance(guard, Interval) and guard.axis is Axis.AGE and guard.high is not None


def _unites(read: Sequence[Sequence[Restriction]]) -> bool:
    """True where the members are on one axis, so that "and" adds people ("adults and adolescents")."""
    firsts = [axis_of(next((p.guard for p in parts if not _is_one_word(p.guard)), parts[0].guard)) for parts in read]
    if {Axis.PREGNANCY, Axis.LACTATION} >= set(firsts):
        return True
    return firsts[0] in _UNION_AXES and len(set(firsts)) == 1


def _two_sided(read: Sequence[Sequence[Restriction]]) -> bool:
    """True for a lower and an upper bound on one value ("at least 12 years and less than 18 years")."""
    if len(read) != 2:
        return False
    first, second = read[0][0].guard, read[1][0].guard
    if not (isinstance(first, Interval) and isinstance(second, Interval)) or first.term or second.term or first.unit != second.unit:
        return False
    low, high = (first, second) if first.low is not None else (second, first)
    return low.high is None and high.low is None and low.low is not None and high.high is not None and low.low < high.high


def _tight(parts: Sequence[Restriction]) -> list[Restriction]:
    """The parts of one member, all of which hold; a printed age takes the place of the word beside it."""
    out: list[Restriction] = []
    named = 0  # age words that stand behind the first one: a list in brackets that explains it ("pediatric population (children and adolescents)")
    for part in _whole_ranges(parts):
        last = out[-1] if out else None
        if last is not None and _is_word(last.guard) and _is_word(part.guard) and axis_of(last.guard) is axis_of(part.guard) is Axis.AGE:
            named += 1
            if named > 1 and (both := united([last.guard, part.guard])) is not None:
                out[-1] = Restriction(both, last.start, part.end)
                continue
        word, number = (last.guard, part.guard) if last is not None and _is_word(last.guard) else (part.guard, last.guard if last is not None else None)
        if last is not None and isinstance(word, Interval) and word.term and number is not None and {axis_of(leaf) for leaf in leaves(number)} == {word.axis}:
            out[-1] = Restriction(narrowed(word, number), last.start, part.end)
        elif last is not None and isinstance(part.guard, Category) and part.guard.axis is Axis.SEX and axis_of(last.guard) is Axis.PREGNANCY:
            continue
        else:
            out.append(part)
    return out


def _is_word(guard: Guard) -> bool:
    return isinstance(guard, Interval) and guard.term is not None


def _whole_ranges(parts: Sequence[Restriction]) -> Iterator[Restriction]:
    """The parts with both ends of a range over two units as one ("1 month to 2 years")."""
    waiting: Restriction | None = None
    for part in parts:
        if waiting is not None:
            joined = part.start == waiting.end and isinstance(part.guard, Interval) and part.guard.low is None and axis_of(waiting.guard) is part.guard.axis
            if joined:
                yield Restriction(AllOf((waiting.guard, part.guard)), waiting.start, part.end)
                waiting = None
                continue
            yield waiting
            waiting = None
        if isinstance(part.guard, Interval) and part.guard.low is not None and part.guard.high is None and part.guard.term is None:
            waiting = part
        else:
            yield part
    if waiting is not None:
        yield waiting


def every_of(parts: Sequence[Restriction]) -> Restriction:
    """All of the parts as one restriction."""
    guards = tuple(dict.fromkeys(p.guard for p in parts))
    flat = tuple(dict.fromkeys(q for g in guards for q in (g.parts if isinstance(g, AllOf) else (g,))))
    entities = tuple(dict.fromkeys(e for p in parts for e in p.entities))
    return Restriction(flat[0] if len(flat) == 1 else AllOf(flat), parts[0].start, parts[-1].end, entities)


def any_of(parts: Sequence[Restriction], *, start: int, end: int) -> tuple[Restriction, ...]:
    """Any of the parts as one restriction; none where their ages together are all ages."""
    entities = tuple(dict.fromkeys(e for p in parts for e in p.entities))
    guards = [q for p in parts for q in (p.guard.parts if isinstance(p.guard, AnyOf) else (p.guard,))]
    guard = united(guards)
    return (Restriction(guard, start, end, entities),) if guard is not None else ()
