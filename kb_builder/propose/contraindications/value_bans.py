"""Values of the laboratory at which the sections on doses and on warnings forbid or stop their product: "should not be given to patients with an LVEF below 50%"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from kb_builder.propose.conditions.restrictions import Restriction
from kb_builder.propose.contraindications.advised import state_draft
from kb_builder.propose.drafts import Draft
from kb_builder.propose.found import State
from kb_builder.propose.reading.blocks import Block, Reading, Statement
from kb_builder.propose.reading.things import Kind, uncoded
from ontology.model.advice import Action
from ontology.model.claims import Strength
from ontology.model.entities import EntityType
from ontology.model.facts import Axis
from ontology.model.guards import HasCondition, Interval
from ontology.text.bounds import find_bounds

SECTIONS = ("dosage_and_administration", "boxed_warning", "warnings_and_cautions", "warnings")
_PEOPLE = r"(?:patients|those|subjects|individuals)\s+(?:with|who\s+have|whose)\s+"
_WHAT = r"(?P<what>(?:[^.;]|(?<=\d)\.(?=\d)){4,400})"
_ONE_VALUE = r"(?P<what>(?:[^.;,]|(?<=\d)[.,](?=\d)){4,80})"
_END = r"(?:permanently\s+)?(?:discontinue|withhold|hold|interrupt|stop)\b"
_ASKED = (
    r"\b(?:(?P<never>(?:should|must)\s+not\s+be\s+(?:administered|used|given|initiated|started|begun)|do\s+not\s+(?:administer|give|use|start|initiate))"
    r"|(?P<unwise>not\s+recommended)"
    r"|(?:should|must)\s+be\s+(?:permanently\s+)?(?:discontinued|stopped|withheld|interrupted)|(?:discontinue|withhold|interrupt|stop))\b"
)
_BANS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_ASKED}(?:\s+[\w-]+){{0,5}}?\s+(?:in|to|for)\s+(?P<who>(?:[\w-]+\s+){{0,4}}?){_PEOPLE}{_WHAT}",
        rf"{_ASKED}(?:\s+[\w-]+){{0,6}}?,?\s+(?P<reached>if|when)\s+(?:the\s+)?{_WHAT}",
        rf"\b(?:in|for)\s+{_PEOPLE}{_ONE_VALUE},\s+{_END}",
        rf"\b(?P<reached>if|when)\s+(?:the\s+)?{_ONE_VALUE},\s+{_END}",
    )
)
"""What forbids or stops in people of a value, or if it is reached, before it or behind it."""
_NEXT = re.compile(
    r",?\s+(?:and|or)\s+(?:in|to|for)\s+(?:patients|those|subjects|individuals)\s+(?:with|who\s+have|whose)\s+|,\s+(?:or\s+|and\s+)?with\s+"
    r"|(?:,\s+(?:or\s+|and\s+)?|\s+or\s+)(?:who\s+have\s+|(?:if\s+)?the\s+)?(?=[a-z][\w ()-]{1,50}?\s*(?:(?:is|are)\s+)?(?:<|>|≤|≥|below|above|less\s+than|greater\s+than|more\s+than|exceeds)\s*\d)",
    re.IGNORECASE,
)
_MEMBER = re.compile(
    r"(?:an?\s+|confirmed\s+|baseline\s+)*(?P<name>[A-Za-z][\w -]{1,40}?)(?:\s*\([A-Z][\w/ -]{1,14}\))?\s*(?:that\s+)?(?:(?:of|is|are|drops?|decreases?|falls?|declines?|increases?|rises?)\s+)?(?:to\s+)?"
    r"(?:(?:below|less\s+than)\s+(?:the\s+)?(?:institution(?:al\b|['’]s)?\s+)?(?P<low>lower\s+limits?\s+of\s+normal|LLN)\b(?:\s*\(LLN\))?"
    r"|(?P<bound>(?:[<>≤≥]|below|above|over|less\s+than|greater\s+than|more\s+than|lower\s+than|exceed(?:s|ing))\s*\d[\d.,]*\s*(?:x\s*10\s*\^?\s*\d{1,2}\s*/\s*[Lµu]\w?|per\s+mm\s?3|(?:x|times)\s+(?:the\s+)?(?:ULN|upper\s+limits?\s+of\s+normal)|[\w%/^]+)?))\s*",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:was|were|had|has been|have been)\b", re.IGNORECASE)
_PLAIN_PEOPLE = frozenset({"adult", "all", "any", "the", "these", "such", "other"})
_ONE = Decimal(1)


def value_bans(reading: Reading) -> Iterator[Draft]:
    """The values of one section; a member of a list that says more than one value is none."""
    for block in reading.blocks:
        for statement in block.statements:
            yield from _of_statement(reading, block, statement)


def _of_statement(reading: Reading, block: Block, statement: Statement) -> Iterator[Draft]:
    blank = reading.blank
    for ban in (m for pattern in _BANS for m in pattern.finditer(blank, statement.start, statement.end)):
        if any(t.kind is Kind.PARTNER and not t.own and t.start < ban.end() for t in statement.things):
            return
        whom = _whom(statement, ban)
        if whom is None:
            continue
        reached = ban.groupdict().get("reached") is not None
        if reached and _PAST.search(blank, statement.start, ban.start("what")) is not None:
            continue
        at = ban.start("what")
        for joint in (*_NEXT.finditer(blank, at, ban.end("what")), None):
            end = joint.start() if joint is not None else ban.end("what")
            limit = _value(blank, at, end)
            if limit is not None and not (reached and _unit(limit) == "{ULN}"):  # what stops at a multiple of the normal is read with all its clause
                words = " ".join(blank[limit.start : limit.end].split())
                state = State(uncoded(EntityType.CONDITION, words), limit.start, limit.end, (*whom, limit))
                yield state_draft(reading, block, statement, state, _action(ban), Strength.SHOULD)
            at = joint.end() if joint is not None else end


def _unit(limit: Restriction) -> str | None:
    return limit.guard.unit if isinstance(limit.guard, Interval) else None


def _action(ban: re.Match[str]) -> Action:
    said = ban.groupdict()
    return Action.AVOID if said.get("never") else Action.NOT_RECOMMENDED if said.get("unwise") else Action.STOP


def _whom(statement: Statement, ban: re.Match[str]) -> tuple[Restriction, ...] | None:
    """The state that the patients are named by ("multiple sclerosis patients"); None where they are named by anything else."""
    words = (ban.groupdict().get("who") or "").lower().split()
    if all(w in _PLAIN_PEOPLE for w in words):
        return ()
    start, end = ban.span("who")
    named = [t for t in statement.things if t.kind is Kind.STATE and t.type == EntityType.CONDITION and start <= t.start and t.end <= end]
    if len(named) != 1 or named[0].start != start or named[0].end < start + len(ban["who"].rstrip()):
        return None
    return (Restriction(HasCondition(named[0].targets[0].id, ban["who"].strip()), start, named[0].end),)


def _value(blank: str, start: int, end: int) -> Restriction | None:
    """The bound that is all that one member of the list says."""
    m = _MEMBER.match(blank, start, end)
    if m is None or (blank[m.end() : end].strip(" ,)") and not blank.startswith(("(", "["), m.end())):
        return None
    at = m.start("name")
    if m["low"] is not None:
        return Restriction(Interval(Axis.LAB, None, _ONE, "{LLN}", high_open=True, detail=" ".join(m["name"].lower().split())), at, m.end("low"))
    found = [b for b in find_bounds(blank[at : m.end()]) if b.interval.axis is Axis.LAB]
    return Restriction(found[0].interval, at, m.end()) if len(found) == 1 else None
