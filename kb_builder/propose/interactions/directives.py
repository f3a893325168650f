"""Instructions of one sentence: which of its frames truly ask for something, of which partners, and as which plan."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb_builder.propose.interactions.partners import Cast
from kb_builder.propose.reading.cues import is_reversal, reason_start, refers
from kb_builder.propose.reading.frames import Found, dose_owner, find_frames
from kb_builder.propose.reading.things import Kind, Thing
from kb_builder.propose.reading.told_doses import is_told_of
from ontology.model.advice import Action, Step
from ontology.model.entities import EntityType
from ontology.text.amounts import separation_hours
from ontology.text.context import is_narrative

_MODAL = re.compile(
    r"\b(?:should|must|recommend\w*|advis\w+|avoid|consider|do not|necessary|required|needed|need|warranted|may be|may require|contraindicated|caution)\b|^\W*(?:monitor|reduce|increase|adjust|administer|separate|use|start|initiate|limit|decrease|closely|carefully)"
)
_PURPOSE_OF = re.compile(r"\bto (?:permit|allow|ensure|guide|facilitate|determine|help|assess)\b[^.;]{0,60}$")
_MEANWHILE = re.compile(r"\b(?:during|upon|initiation (?:and|or)|after initiation|discontinuation,?)\b[^,;.]{0,60}$|\bafter initiation[^;.]{0,30}$")
_THAT_MAY = re.compile(r"\b(?:that|which) (?:may|might|could|can) (?:require|need|necessitate|result in|warrant) (?:an? )?$")
_TOXICITY = re.compile(r"\b(?:in|for) patients (?:with|who (?:develop|experience)|experiencing) [^.;]*?\b(?:toxicit|adverse)")
_WITHDRAWN = re.compile(r"\b(?:discontinued|stopped|withdrawn)\b[^.;]{0,60}\bby gradual\w*\s+$")
_TOLD = r"(?<!advised )(?<!instructed )(?<!counseled )(?<!cautioned )(?<!patients )(?<!need )(?<!needs )(?<!recommended )(?<!important )(?<!prudent )(?<!warned )(?<!told )(?<!continue )"
_RATE = re.compile(r"\b(?:rate|incidence|frequency|proportion)s? of [^.;]{2,60} (?:was|were) \d")
_TO_AVOID = re.compile(rf"{_TOLD}\b(?:to|order to|thus|thereby|help) $")
_ADVERSE = re.compile(
    r"\b(?:if|when|in (?:the event|case) of|upon|at the first (?:sign|appearance))\b[^.;]{0,120}\b(?:occurs?|develops?|observed|suspected|appears?|experienc\w+|signs?|symptoms?|diagnosed|detected|confirmed|persists?|worsen\w*)\b"
)
_CONVERSION = re.compile(
    r"\b(?:after|before|following|of) (?:the |its )?(?:last|final|first|next(?: scheduled)?) (?:[\w-]+ ){0,3}(?:dose|infusion|injection|administration)\b|\bhours? after (?:the )?(?:cessation|discontinuation|stopping|end) of\b"
)
"""The time between the last dose of one drug and the first of the other: a change of treatment, no interval between two that are both taken."""
_HOW_LONG = re.compile(r"\b(?:persist(?:s|ed)|last(?:s|ed)|occur(?:s|red)|peak(?:s|ed)|was observed|were observed|was seen|were seen|measured)\b[^.;]*$")
_SPAN_OF_TIME = re.compile(r"\b(?:during|while|when|whenever|before|prior to|at least|until|throughout|if|temporary|temporarily)\b")
_WATCHED = re.compile(
    r"\b(?:INR|prothrombin time|blood pressure|heart rate|blood glucose|serum potassium|potassium|serum (?:creatinine|sodium|lithium|digoxin|calcium)|renal function|liver (?:function|enzymes)|hepatic function|ECG|electrocardiogram|(?:[\w-]+ )?(?:levels|concentrations)|TSH"
    r"|thyroid function|blood counts?|CK|creatine kinase|QT[c]?(?: interval)?|respiratory depression|sedation|bleeding|serotonin syndrome|signs and symptoms of [\w ]{3,40})\b",
    re.IGNORECASE,
)
_GROUPS = (EntityType.DRUG_CLASS, EntityType.ENZYME_ROLE)
_STOP = frozenset({Action.CONTRAINDICATED, Action.AVOID, Action.NOT_RECOMMENDED})
_TO_USE = re.compile(r"\b(?:use|give|consider|prescribe|should (?:receive|be given|be used|use))\b")
_OFFERED = re.compile(r"[;,] (?:instead,? )?(?:use|consider|give|administer|switch to)\b(?! (?:of|caution|with caution|the lowest)\b)")
"""Where a sentence that forbids begins to say what to take instead ("avoid with X; use antacids")."""
_UNTIL = re.compile(r"\buntil\b")
"""What may not be done yet is no prohibition of what the block is about."""
_REASON_FIRST = re.compile(r"\W*(?:because|since|as)\b")
_MAIN_CLAUSE = re.compile(
    r", (?:patients|the (?:use|dos\w+|concomitant|combination)|(?:special |particular )?caution|concomitant|concurrent|co-?administration|use|avoid|monitor|consider|it|when|if|dos\w+|reduc\w+|neither|[a-z-]+ (?:should|must))\b"
)
_BRACKET = re.compile(r"\([^()]*\)")
_EXAMPLES_BEHIND = re.compile(
    r"\s*[,:]?\s*\(\s*(?:e\.\s?g\.?|eg|such as|including|for example|for instance|i\.e\.|like)[\s,:](?:[^()]|\([^()]*\))*", re.IGNORECASE
)
"""The bracket with members of a group behind what the sentence asks for ("strong inducers should be avoided (e.g., X, Y)")."""
_NEXT_CLAUSE = re.compile(r";|, (?:and|but) ")
_MAX_WATCHED = 4
_NAMES_FORM = re.compile(
    r"(?: (?:oral|delayed-release|extended-release|tablets?|capsules?|injection|solution|suspension|cream|usp|er|xr|sr)\b)+", re.IGNORECASE
)
_NAMED_TWICE = re.compile(r"\bthe this drug\b")
_AMOUNT_NEXT = re.compile(r"\s*\d")
_MAX_PARAMETER = 120


def asked_for(lower: str, people: Cast, section: str) -> tuple[Found, ...]:
    """The frames of a sentence that ask for something now: no denials, purposes, circumstances, or reactions to an adverse event."""
    told_only = (is_narrative(lower) or _RATE.search(lower) is not None) and _MODAL.search(lower) is None
    return tuple(f for f in find_frames(lower) if not f.negated and not told_only and _asks(f, lower, people, section))


def _asks(found: Found, lower: str, people: Cast, section: str) -> bool:
    before = lower[: found.start]
    if found.frame.action is Action.ADJUST_DOSE:
        if is_told_of(lower, found.start, found.end):
            return False
        circumstance = any(p.search(before) for p in (_PURPOSE_OF, _MEANWHILE, _THAT_MAY, _WITHDRAWN))
        told = lower[: found.start] + lower[found.end :] if found.frame.id == "reduce-or-stop" else lower
        return not (circumstance or is_reversal(told) or refers(lower) or (not people.partners and _TOXICITY.search(lower)))
    if found.frame.action is Action.SEPARATE:
        if _HOW_LONG.search(before):
            return False
        return _CONVERSION.search(lower, found.start) is None or section != "dosage_and_administration"
    if found.frame.id == "instead" and lower.startswith("instead", found.start):
        return _TO_USE.search(before) is not None
    if found.frame.id == "avoid":
        return _TO_AVOID.search(before) is None
    if found.frame.action in _STOP and not people.partners and (refers(lower) or _UNTIL.search(lower, found.end)):
        return False
    if found.frame.id == "suspend":
        return section != "dosage_and_administration" and bool(people.partners) and _ADVERSE.search(lower) is None and _SPAN_OF_TIME.search(lower) is not None
    return True


def governed(index: int, found: tuple[Found, ...], start: int, lower: str, people: Cast, subjects: tuple[Thing, ...]) -> tuple[Thing, ...]:
    """The partners that the frame at `index` governs, in a sentence that begins at `start`; `subjects` where it names none itself."""
    if not people.partners:
        return subjects
    reached = _reached(index, found, start, lower, people)
    return (*reached, *_exemplified(found[index], start, lower, people, reached))


def _exemplified(frame: Found, start: int, lower: str, people: Cast, reached: tuple[Thing, ...]) -> tuple[Thing, ...]:
    """The members in a bracket right behind the frame, where it reaches only the group before it."""
    bracket = _EXAMPLES_BEHIND.match(lower, frame.end)
    group = reached[-1] if reached else None
    if bracket is None or group is None or group.type not in _GROUPS or group.start >= start + frame.start:
        return ()
    return tuple(t for t in people.partners if start + bracket.start() <= t.start < start + bracket.end() and t.type not in _GROUPS and t not in reached)


def _reached(index: int, found: tuple[Found, ...], start: int, lower: str, people: Cast) -> tuple[Thing, ...]:
    """The partners that a frame of a sentence reaches by its side, its bracket and the frames beside it."""
    frame = found[index]
    people, aside = _by_bracket(frame, start, lower, _without_reason(frame, start, lower, people))
    if aside:
        return people.partners
    left = start + (found[index - 1].end if index else 0)
    following = next((f for f in found[index + 1 :] if f.frame.id != frame.frame.id or frame.frame.action is not Action.SEPARATE), None)
    right = start + (following.start if following is not None else len(lower))
    if frame.frame.id == "instead":
        return tuple(t for t in people.partners if start + frame.start <= t.start < start + frame.end)
    reason = reason_start(lower, frame.end)
    offered = offered_start(lower, (frame,))
    stop = min(right, *(start + end for end in (reason, offered) if end is not None), right)
    after = tuple(t for t in people.partners if start + frame.start <= t.start < stop)
    before = tuple(t for t in people.partners if left <= t.start < start + frame.start)
    earlier = tuple(t for t in people.partners if t.start < start + frame.start) or tuple(
        t for t in people.partners if ";" not in lower[frame.end : t.start - start]
    )
    if frame.frame.id == "alternative":
        return before or earlier
    if frame.frame.side == "right":
        return after or before or earlier
    if frame.frame.side == "left":
        return before or after or earlier
    return _on_both_sides(before, after, lower, frame, start) or earlier


def _without_reason(frame: Found, start: int, lower: str, people: Cast) -> Cast:
    """The cast without those that only the reason before the instruction names ("Because X slows it, patients on Y need less")."""
    main = _MAIN_CLAUSE.search(lower) if _REASON_FIRST.match(lower) is not None else None
    kept = tuple(t for t in people.partners if main is not None and t.start >= start + main.start())
    return Cast(kept, people.minus) if main is not None and main.start() < frame.start and kept else people


def _by_bracket(frame: Found, start: int, lower: str, people: Cast) -> tuple[Cast, bool]:
    """The partners that a frame may govern: those of its bracket where it stands in one that names any, none of a bracket with an instruction else.

    Also whether it stands in such a bracket.
    """
    for bracket in _BRACKET.finditer(lower):
        low, high = start + bracket.start(), start + bracket.end()
        inside = tuple(t for t in people.partners if low <= t.start < high)
        if not inside or len(inside) == len(people.partners) or not any(f.frame.action in _STOP for f in find_frames(bracket[0])):
            continue
        if bracket.start() <= frame.start < bracket.end():
            return Cast(inside, people.minus), True
        people = Cast(tuple(t for t in people.partners if t not in inside), people.minus)
    return people, False


def offered_start(lower: str, found: Sequence[Found]) -> int | None:
    """Where a sentence that forbids begins to say what to take instead, or None."""
    stop = next((f for f in found if f.frame.action in _STOP), None)
    offered = _OFFERED.search(lower, stop.end) if stop is not None else None
    return offered.start() if offered is not None else None


def _on_both_sides(before: tuple[Thing, ...], after: tuple[Thing, ...], lower: str, frame: Found, start: int) -> tuple[Thing, ...]:
    """All partners around the frame, unless a clause boundary parts one side from it."""
    if not before or not after:
        return before or after
    if _NEXT_CLAUSE.search(lower[before[-1].end - start : frame.start]):
        return after
    if _NEXT_CLAUSE.search(lower[frame.end : after[0].start - start]):
        return before
    return (*before, *after)


def plan(text: str, start: int, found: Sequence[Found], things: Sequence[Thing]) -> tuple[Step, ...]:
    """The steps that frames of one sentence make, one an action; mere caution gives way to anything else. `text` is the sentence as printed."""
    lower = text.lower()
    own = [(t.start - start, t.end - start) for t in things if t.own]
    partners = [(t.start - start, t.end - start) for t in things if not t.own and t.kind is Kind.PARTNER]
    steps: dict[Action, Step] = {}
    for f in found:
        action = f.frame.action
        whose = dose_owner(f, lower, own, partners)
        if action is Action.SEPARATE:
            step = Step(action, whose, separate_hours=separation_hours(lower))
        elif action is Action.MONITOR:
            step = Step(action, whose, monitor=tuple(dict.fromkeys(m[0] for m in _WATCHED.finditer(text)))[:_MAX_WATCHED])
        elif action is Action.ADJUST_DOSE:
            step = Step(action, whose, parameter=_unnamed(text, f.start, own)[:_MAX_PARAMETER])
        else:
            step = Step(action, whose)
        steps.setdefault(action, step)
    if len(steps) > 1:
        steps.pop(Action.CAUTION, None)
    return tuple(steps.values())


def _unnamed(text: str, start: int, own: Sequence[tuple[int, int]]) -> str:
    """The words from `start` on without the product's name, so that the labels of a brand and of its copies ask for one change in one wording.

    Before an amount the name goes with its form ("do not exceed BRAND tablets 10 mg"), elsewhere "this drug" stands for it.
    """
    parts, at = [], start
    for name_start, name_end in sorted(own):
        if name_start < at:
            continue
        form = _NAMES_FORM.match(text, name_end)
        end = form.end() if form is not None else name_end
        parts += [text[at:name_start], "" if _AMOUNT_NEXT.match(text, end) else "this drug"]
        at = end
    return _NAMED_TWICE.sub("this drug", " ".join("".join((*parts, text[at:])).split()))
