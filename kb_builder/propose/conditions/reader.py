"""The conditions of dosing prose, headings and table cells, as guards.

`read_conditions` reads a sentence or clause; `read_label_conditions` a heading or cell, whose words are the condition: what is not read stays as `Opaque`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb_builder.propose.conditions.leaves import find_leaves
from kb_builder.propose.conditions.phrases import read_phrase, spared
from kb_builder.propose.conditions.restrictions import AT_DOSES, Restriction
from kb_builder.propose.conditions.weak import weak_and_old
from kb_builder.propose.conditions.words import condition_words
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.reading.things import Kind, Thing
from ontology.model.facts import Axis
from ontology.model.guards import Category, Interval, Opaque, leaves
from ontology.text.bounds import find_bounds
from ontology.text.sought import sought

_HEAD = r"(?:patients?|subjects|individuals|persons|people|women|men|females|males|boys|girls|child(?:ren)?|infants?|neonates?|newborns?|adolescents?|adults?|elderly|geriatric|pediatrics?|paediatric|metaboli[sz]ers?|acetylators|carriers|those|anyone|recipients|populations?|mothers|[EIPU]Ms|(?:non-?)?smokers)"
_MODIFIER = r"(?:(?!(?:in|for|to|of|with|is|are|be|after|before|until|when|if|while|that|allow|ensure|enable|help|permit|start|has|have|the dose|dosage|should|must|may|can|will|and then|doses?|mg|mcg|daily|once|twice|given|taken|administered|reduce|increase)\b)[\w'*:/-]+(?:,(?=\s\w))?\s+)"
_PEOPLE = sought(rf"(?:\b(?:in|for|to|of|among|with|by)\s+|^\W*|[,;:(\[]\s*)(?P<body>(?:the\s+)?{_MODIFIER}{{0,6}}?{_HEAD}\b)", re.IGNORECASE)
_CO_USE = sought(
    r"(?:\b(?:when|if|while|where)\s+)?(?:\b(?:is|are|be|being)\s+)?(?:\b(?:used|given|taken|administered|prescribed|initiated|co-?\s?administered|combined)\s+)?(?:\b(?:concomitant(?:ly)?|concurrent(?:ly)?|together|simultaneously|in combination|combination|co-?\s?administ(?:ration|ered|ering)|combined|along|as adjunct\w*|with (?:the )?(?:concomitant|concurrent)\s+(?:use|administration)|adjunctive(?:ly)?)\b)"
    r"(?:\s+(?:use|administration|therapy|treatment|oral))*\s*(?:of|with|to)?\s+(?=\w)|\b(?:while|when|if|for those|who are)\s+(?:\w+\s+)?(?:taking|receiving|on)\s+(?=\w)|\band\s+who\s+(?:initiate|start|begin|take|receive|require)\s+(?=\w)",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"\b(?:in|during|with|for|on|if|when|while|has|have|having|by)\s+(?:(?:the\s+)?(?:presence|setting|case|event|treatment)\s+of\s+|(?:both|either|known|a|an|the|patients with)\s+)*$",
    re.IGNORECASE,
)
_NO_STATE = re.compile(
    r"\b(?:result\w*|lead\w*|caus\w*|associated|risk of|evidence of|occur\w*|develop\w*|reported|treatment of|management of|indicated)\b[^.;,]{0,40}$",
    re.IGNORECASE,
)
_CLAUSE = sought(
    r"(?:^|(?<=[\s(,;:]))(?P<word>if|when|whenever|unless|provided(?: that)?|as long as|only if|only when|in the event(?: that| of)?)\s+(?P<body>(?:[^.;:\x01\n]|(?<=\d)\.(?=\d)){3,220})",
    re.IGNORECASE,
)
_WHOM = sought(r"\b(?:in|for) whom\s+[^.,;:()\x01\n]{5,140}(?!\w)", re.IGNORECASE)
_EXCEPTION = sought(
    r"\b(?P<word>except(?!\s+that\b)(?:\s+(?:for|in|when|during|where|with|as))?|other than in|with the exception of)\s+[^.;:()\x01\n]{3,160}(?!\w)",
    re.IGNORECASE,
)
_AMOUNT = r"\d[\d,.]*\s*(?:-|to|or)?\s*[\d,.]*\s*-?(?:mg|mcg|[µu]g|g|units?|mL|milligrams?|tablets?|capsules?|puffs?|drops?|mEq|mmol|IU|international units|%\s+of)\b(?!\s*(?:(?:/|per)\s*(?:min|dL|L\b|mm)|min\b))"
_STOP = re.compile(
    rf"[;\x01\n\u2029]|:(?!\d)|(?<![eg])\.(?!\d|g\.|e\.|,)"
    rf"|(?:(?<!who)(?<!that)(?<!which)(?<!whom))\s+(?:should|must|may|can|could|will|would|shall|do not|does not)\b"
    rf"|(?<!who)(?<!that)(?<!which)(?<!whose)(?<!potential)(?<!\bnot)\s+(?:is|are|was|were|be)\s+(?=(?:as follows|recommended|not recommended|usually|generally|initiated|started|given|administered|reduced|increased|limited|required|\d|the\b|needed|contraindicated|advised|adjusted|based|titrated|dosed|a\b|an\b|no\b|half|one|two))"
    rf"|,\s+(?=(?:the|start|begin|initiate|reduce|do not|no|use|administer|give|consider|adjust|monitor|avoid|discontinue|dosage|dose|doses|dosing|recommended|maximum|increase|decrease|limit|treatment|therapy|it|this|we|titrate|interrupt|withhold|resume|restart|followed|then|a|an|take|premedicate|[A-Z][\w-]+ (?:therapy|consists|should|is|may|doses?|tablets|capsules|can|must)|not to exceed|up to|as|which|because|since|but|there|safety|caution)\b)"
    rf"|\s+(?=(?:reduce|resume at|restart at|initiate|administer|start|begin|adjust|avoid|consider|discontinue|titrate|the recommended|the usual|the dose|the dosage|the initial|the starting|the maximum|the total|dosage adjustment|dose adjustment|no dosage|no dose|consists? of|to (?:reduce|avoid|minimize|achieve|remove|prevent|allow|ensure|maintain|provide|obtain|improve|control|help|facilitate)|because|due to|since|in order to|based on|as determined|as follows|resulting|not to exceed|until|followed by)\b)"
    rf"|\s*[(,-]?\s*(?={_AMOUNT})",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"(?:such|these|this|that|most|some|many|all|any|individual|other)\s+(?:\w+\s+)?(?:patients?|individuals|persons)$", re.IGNORECASE)
_NARROWS = re.compile(r"\s*(?:,\s*)?(?:with|who|whose|taking|receiving|weighing|aged|age|whom|undergoing|requiring|[<>≥≤(\d])", re.IGNORECASE)
_USES_DOSE = re.compile(
    r"\b(?:taking|receiving|previously|taken|treated|on|tolerat\w+|dos(?:es?|age) of|reductions? to|greater than|more than|at least|above|exceeding)\b[^.;]{0,60}$|[(]\s*[<>≤≥]?\s*$|[<>≤≥]\s*$",
    re.IGNORECASE,
)
_OPENS_AGAIN = re.compile(r"^\s*[,;]?\s*(?:and/or|or|and)\s*(?:in|for|with)?\s*$|^\s*,\s*$", re.IGNORECASE)
_DOSE_BEFORE = re.compile(
    r"\b(?:doses?|dosages?|amounts?|regimens?)(?:\s+(?:of|for|in)\s+(?:(?!(?:is|are|was|were|be|should|may|must|can|will)\b)[a-z][\w-]*\s+){1,5})?,?\s*$",
    re.IGNORECASE,
)
_VERB = re.compile(r"(?<!who)(?<!that)(?<!which)\s+(?:is|are|should be|will be|may be|must be|must not|should not)\s+(?=\S)", re.IGNORECASE)
_TRIVIAL = re.compile(r"\s*(?:it is\s+|this is\s+|clinically\s+|medically\s+)?(?P<words>[\w ]+?)\s*$", re.IGNORECASE)
_USED = re.compile(r"\bco-?\s?administ|concomit|concurrent|combin|\bused\b|\btaken?\b|\bgiven\b|\btaking\b|\breceiv|\bprescrib", re.IGNORECASE)
_LEFT_OPEN = re.compile(r"(?:needed|necessary|tolerated|required|desired)\b(?! (?:for|to|because|by)\b)", re.IGNORECASE)
_INTAKE = re.compile(
    r"^(?:it is\s+|they are\s+)?(?:given|taken|administered|used|swallowed|dosed)(?:\s+(?:orally|by mouth|intravenously|with food|with meals|without food|on an empty stomach|once daily|as directed))?$",
    re.IGNORECASE,
)
_HEADERS: tuple[tuple[str, Axis], ...] = (
    (r"child[\s-]*pugh", Axis.CHILD_PUGH),
    (r"(?:creatinine clearance|\bcr ?cl\b|\bcl ?cr\b|\bccr\b)[^|]*1\.73", Axis.CRCL_INDEXED),
    (r"creatinine clearance|\bcr ?cl\b|\bcl ?cr\b|\bccr\b", Axis.CRCL),
    (r"\be?gfr\b|glomerular filtration", Axis.EGFR),
    (r"serum creatinine|\bscr\b", Axis.SCR),
    (r"surface area|\bbsa\b", Axis.BSA),
    (r"gestational age", Axis.GESTATIONAL_AGE),
    (r"post-?natal age|days of life", Axis.POSTNATAL_AGE),
    (r"\bages?\b", Axis.AGE),
    (r"renal function|kidney function|renal impairment", Axis.CRCL),
    (r"\bweights?\b|\bkg\b", Axis.WEIGHT),
)
_BRACKET = re.compile(r"[()\[\]]")
_PARTS = re.compile(r":\s|\s(?=(?:when|if)\s+(?:co-?\s?administered|used|taken|given|administered|combined)\b)", re.IGNORECASE)
_SHORTEST = 3
_NEAR = 12  # how far behind a drug's name the words "at doses above" are still about its dose
_LONGEST = 3000


def read_conditions(text: str, start: int, end: int, things: Sequence[Thing], lexicon: Lexicon) -> list[Restriction]:  # noqa: ARG001 - the seam of every reader
    """The conditions on the patient that a sentence or clause `[start, end)` of folded text states; all of them must hold."""
    found = _distinct([r for at, until in _windows(text, start, end) for r in _sentence(text, at, until, things)])
    return weak_and_old(text, start, end, found)


def _sentence(text: str, start: int, end: int, things: Sequence[Thing]) -> list[Restriction]:
    things = [t for t in things if start <= t.start and t.end <= end]
    clauses = list(_clauses(text, start, end))
    out: list[Restriction] = []
    taken: list[tuple[int, int]] = []

    def keep(found: Sequence[Restriction], place: tuple[int, int]) -> None:
        fresh = [r for r in found if not any(s < r.end and r.start < e for s, e in taken)]
        out.extend(fresh)
        taken.append(place)

    for at, until in _exceptions(text, start, end):
        inner = _EXCEPTION.match(text, at)
        keep([spared(text, at, at + len(inner["word"]) + 1 if inner else at, until, things)], (at, until))
    for word, at, until in clauses:
        if word == "unless":
            keep(_clause(text, word, at, until, things), (at - len(word) - 1, until))
    for m in AT_DOSES.finditer(text, start, end):
        if not any(m.start() - _NEAR < t.end and t.start < m.end() for t in things if t.kind is Kind.PARTNER or t.own):
            keep([Restriction(Opaque(" ".join(m[0].split())), m.start(), m.end())], m.span())
    for at, until in _stretches(text, start, end):
        if not _inside(taken, at):
            keep(read_phrase(text, at, min([until, *(s for s, _ in taken if s > at)]), things, assumed=text.startswith("and who", at)), (at, until))
    for word, at, until in clauses:
        if not _inside(taken, at):
            keep(_clause(text, word, at, until, things), (at, until))
    for m in _WHOM.finditer(text, start, end):
        if not _inside(taken, m.start()):
            keep([Restriction(Opaque(" ".join(m[0].split())), m.start(), m.end())], m.span())
    keep([r for r in find_leaves(text, start, end, things) if _stands_alone(text, start, r)], (start, start))
    return sorted(out, key=lambda r: (r.start, r.end))


def read_label_conditions(text: str, start: int, end: int, things: Sequence[Thing], lexicon: Lexicon, axis_hint: Axis | None = None) -> list[Restriction]:  # noqa: ARG001 - the seam of every reader
    """The conditions that a heading or cell `[start, end)` is; words that no axis holds are kept as `Opaque`. `axis_hint` is the axis of its header."""
    hint = axis_hint
    if hint is None and re.fullmatch(
        r"[\W\d]*(?:(?:to|and|than|less|or|greater|more|older|above|under|below|up|over|at least|through|between|from|birth|<|>)\W*|\d[\d.]*\s*-?\s*(?:years?|yrs?|months?|mos?|weeks?|days?)\b\W*|\d[\d.]*\W*)+",
        text[start:end],
        re.IGNORECASE,
    ):
        hint = Axis.AGE
    windows = [part for at, until in _windows(text, start, end) for part in _at_colon(text, at, until)]
    return _distinct([r for at, until in windows for r in read_phrase(text, at, until, [t for t in things if at <= t.start < until], hint=hint, assumed=True)])


def axis_of_header(words: str) -> Axis | None:
    """The axis that the cells under a column header are on, or None."""
    lower = " ".join(words.lower().split())
    return next((axis for pattern, axis in _HEADERS if re.search(pattern, lower)), None)


def _windows(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretch in pieces that no sentence of a label fills, cut at white space."""
    while end - start > _LONGEST:
        cut = max(text.rfind(" ", start + 1, start + _LONGEST), text.rfind("\n", start + 1, start + _LONGEST))
        until = cut if cut > start else start + _LONGEST
        yield start, until
        start = until
    yield start, end


def _at_colon(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """A heading's two parts around its colon, or before its last clause: what stands before holds for all that follows, and a clause for all before it."""
    colon = _PARTS.search(text, start, end)
    parts = ((start, end),) if colon is None else ((start, colon.start()), (colon.end(), end))
    return tuple(p for p in parts if text[slice(*p)].strip())


def _inside(taken: Sequence[tuple[int, int]], at: int) -> bool:
    return any(s <= at < e for s, e in taken)


def _stretches(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The phrases about patients and about what they take, joined where "and" or "or" adds a further group."""
    opened = sorted({*((m.start("body"), m.end("body")) for m in _PEOPLE.finditer(text[start:end])), *(m.span() for m in _CO_USE.finditer(text[start:end]))})
    merged: list[list[int]] = []
    for opens, heads in opened:
        at, head = start + opens, start + heads
        if merged and at < merged[-1][1]:
            continue
        until = _phrase_end(text, at, head, end)
        if merged and _OPENS_AGAIN.search(text[merged[-1][1] : at]) and at - merged[-1][1] < 24:
            merged[-1][1] = until
        else:
            merged.append([at, until])
    yield from ((a, b) for a, b in merged)


def _phrase_end(text: str, start: int, head: int, end: int) -> int:
    """Where the phrase stops that begins at `start` and whose noun ends at `head`."""
    end = _closing_bracket(text, start, end)
    if _POINTS_BACK.match(text[start:head]) and _NARROWS.match(text, head) is None:
        return head
    for m in _STOP.finditer(text, head, end):
        is_amount = re.match(rf"\s*[(,-]?\s*{_AMOUNT}", text[m.start() : m.start() + 40]) is not None
        if is_amount and _USES_DOSE.search(text[start : m.start() + 1]):
            continue
        return m.start()
    return end


def _closing_bracket(text: str, start: int, end: int) -> int:
    """Where the bracket closes that the phrase stands in, or `end`."""
    depth = 0
    for m in _BRACKET.finditer(text, start, end):
        depth += 1 if m[0] in "([" else -1
        if depth < 0:
            return m.start()
    return end


def _verb_behind(text: str, start: int, at: int, end: int) -> int:
    """Where the verb of the sentence follows a clause at `at` that stands between it and its subject ("the dose if symptoms persist is ..."), or `end`."""
    verb = _VERB.search(text, at, end) if _DOSE_BEFORE.search(text, max(start, at - 80), at) else None
    return verb.start() if verb is not None else end


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    for m in _CLAUSE.finditer(text[start:end]):
        at = start + m.start("body")
        until = _verb_behind(text, start, start + m.start("word"), start + m.end())
        stop = re.search(r",\s+(?!(?:and|or)\b)(?!\d{3})|\)|\s(?=(?:titrate|reduce|initiate|administer|discontinue)\b)", text[at:until])
        yield m["word"].lower(), at, at + stop.start() if stop is not None else until


def _clause(text: str, word: str, start: int, end: int, things: Sequence[Thing]) -> list[Restriction]:
    """What a clause asks for: what the axes hold of it, else its words; nothing where it leaves a step to the prescriber."""
    words = " ".join(text[start:end].split())
    trivial = _TRIVIAL.match(words)
    left_open = trivial is not None and trivial["words"].lower() in condition_words().trivial
    if len(words) < _SHORTEST or left_open or _INTAKE.match(words) or _LEFT_OPEN.match(words):
        return []
    if word == "unless":
        return [spared(text, start - len(word) - 1, start, end, things)]
    found = read_phrase(text, start, end, things, assumed=_USED.search(words) is not None)
    if found and all(not isinstance(leaf, Opaque) for r in found for leaf in leaves(r.guard)):
        return found
    known = [r for r in found if not any(isinstance(leaf, Opaque) for leaf in leaves(r.guard))]
    return [*known, Restriction(Opaque(words), start, end)] if found else []


def _exceptions(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for m in _EXCEPTION.finditer(text, start, end):
        if re.match(r"[\w\s]{0,40}\b(?:inhibitors?|inducers?)\b", text[m.end("word") : m.end()]) is None or re.match(
            r"\s*(?:in|patients|those)", text[m.end("word") : m.end()]
        ):
            until = _verb_behind(text, start, m.start(), m.end())
            stop = re.search(r",\s|\s(?=(?:have|has|had|is|are|was|were) not\b)", text[m.start() : until])
            yield m.start(), m.start() + stop.start() if stop is not None and stop.start() > 12 else until


def _stands_alone(text: str, start: int, leaf: Restriction) -> bool:
    """True for a leaf outside every phrase that still restricts: a number, or organ function and the like behind "in" or "during"."""
    if isinstance(leaf.guard, Interval):
        return leaf.guard.term is None
    axes = {part.axis for part in leaves(leaf.guard) if isinstance(part, Category)}
    if not axes or axes <= {Axis.SEX}:
        return bool(find_bounds(text[leaf.start : leaf.end])) and not isinstance(leaf.guard, Opaque)
    before = text[max(start, leaf.start - 60) : leaf.start]
    opens = not before.strip(" (•-") and re.match(r"\s*[:,(-]", text[leaf.end :]) is not None
    return opens or (_STATE.search(before) is not None and _NO_STATE.search(before) is None)


def _distinct(found: Sequence[Restriction]) -> list[Restriction]:
    out: list[Restriction] = []
    for one in found:
        if not any(o.guard == one.guard for o in out):
            out.append(one)
    return out
