"""Coordinated phrases taken apart: "cerebral aneurysm or dissecting aorta" is two, "pyloric or duodenal obstruction" too, "second or third degree
heart block" is one.

Works on a phrase alone, without a dictionary of nouns: adjectives are told by their endings, and what is not a name on its own shares the head,
or the "of the ..." behind it, with its neighbour.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from kb_builder.propose.reading.wording import wording
from ontology.text.sought import sought

_SEPARATOR = re.compile(r"\s*;\s*|\s*,(?!\d{3}\b)\s*(?:(?:and/or|and|or)\s+)?|\s+(?:and/or|and|or|as well as)\s+", re.IGNORECASE)
_PROTECTED = sought(
    r"\bclass\s+[IVX\d]+(?:\s*(?:,|/|\bor\b|\band\b|\bto\b)\s*[IVX\d]+\b)+|,?\s+with (?:or|and) without\s+\w+|\b(?:signs|skin) and (?:symptoms|\w+)\b|\bserious (?:and|or) life[- ]threatening|\blabor (?:and|or) delivery\b|\b(?:greater|less|more|lower|higher) than or equal to\b|\buntreated (?:or|and) (?:inadequately |under)treated\b|\bof (?:the )?elderly (?:and/or|and|or) debilitated\b|\b(?:known|suspected|recent|contemplated|planned|past|current|present|previous|prior|active|acute|chronic|serious|severe|mild|moderate|first|second|third|newly|confirmed|probable|possible|clinically|hereditary|idiopathic|acquired)"
    r"(?:-degree|-)?(?:\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and|to|and/or)\s+)(?:\w+\s+)?(?:known|suspected|recent|contemplated|planned|past|current|present|previous|prior|active|acute|chronic|serious|severe|moderate|first|second|third|fourth|confirmed|probable|possible|idiopathic|acquired|undiagnosed|unstable|decompensated)\b(?:[- ]degree)?",
    re.IGNORECASE,
)
_SHARED_NOUN = re.compile(
    r"\b(?:of|in)\s+the\s+(?:\w+(?:al|ary|ory|ic)\s*,\s*)*\w+(?:al|ary|ory|ic)\s*,?\s+(?:or|and|and/or)\s+\w+(?:al|ary|ory|ic)\s+\w+", re.IGNORECASE
)
_UNABLE = re.compile(r"(?:unable|not able|inability|failure) to\b|incapable of\b|not (?:currently|yet|previously)\b", re.IGNORECASE)  # denies all that follows
_ITEM = re.compile(r"[A-Z][a-z]{3,} [a-z]")  # how an item begins in a list whose names are not in title case
_SHORT = 4
_RUN = re.compile(r"(?<=[a-z)])\s+(?=[A-Z])|(?<=disease)\s+(?=[a-z])")
_BRACKETS = re.compile(r"\([^()]*\)")
_SEVERITY = frozenset(
    [
        "mild",
        "moderate",
        "severe",
        "severely",
        "markedly",
        "significantly",
        "significant",
        "serious",
        "acute",
        "chronic",
        "active",
        "overt",
        "other",
        "impaired",
        "end-stage",
        "advanced",
        "uncontrolled",
        "certain",
        "any",
        "known",
        "marked",
        "existing",
        "recent-onset",
        "unresolved",
        "prior",
        "history",
        "of",
        "a",
    ]
)
_ADJECTIVE = re.compile(
    r"(?:al|ic|ary|ous|ive|ar|ory|ile|oid|enic|genital|lateral|left|right|upper|lower|deep|total|partial|regional|lumbar|major|minor|oral|renal|hepatic|cardiac|^(?:heart|liver|kidney|lung|thyroid|bowel|bladder|gallbladder|prostate|brain|blood|bone|bone-marrow))$",
    re.IGNORECASE,
)
_NOUNS_LIKE_ADJECTIVES = frozenset(
    [
        "diuretic",
        "antibiotic",
        "anesthetic",
        "narcotic",
        "analgesic",
        "arrhythmic",
        "colic",
        "clinic",
        "hospital",
        "animal",
        "removal",
        "withdrawal",
        "approval",
        "refusal",
        "arrival",
        "denial",
        "goal",
        "canal",
        "tic",
        "sepsis",
        "antiemetic",
        "antiarrhythmic",
        "cardiac-arrest",
        "suicidal",
    ]
)
_DISEASE = re.compile(
    r"(?:ia|itis|osis|emia|oma|pathy|ism|ure|age|tion|sion|ity|ness|sis|ock|ma|ly|ency|ease|der|uria|drome|rrhea|eding|us|ing|ers?)\b", re.IGNORECASE
)
_GENERIC = re.compile(r"diseases?|disorders?|impairment|dysfunction|insufficiency|failure|injury|damage|abnormalit(?:y|ies)", re.IGNORECASE)
_PREPOSITION = re.compile(r"\s(?:of|in|to|from|with|by|following|after|due to|associated with|secondary to|related to)\s(?:the\s)?", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_PAST = re.compile(r"^(?:an?\s+)?history\s+of\s+", re.IGNORECASE)
_OPENS = re.compile(r"^(?:(?:in|with|for)\s+)?(?:(?:cases|patients|those)\s+(?:of|with)\s+)?", re.IGNORECASE)
_OF_LEVEL = re.compile(r"[\w-]+(?P<tail>\s+(?:(?:blood|serum|plasma|urine)\s+)*(?:levels?|concentrations?)\b.*)", re.IGNORECASE | re.DOTALL)
"""What is said of the level of a substance, which the one before it shares ("calcium or magnesium levels are low")."""
_MEASURED = re.compile(r"(?:[\w ]{0,40}\b(?:which|whose|when|where|if)\s+)?(?:(?:blood|serum|plasma)\s+)?(?P<substance>[a-z-]{4,})", re.IGNORECASE)
_OF_THE = re.compile(r"^(?P<head>.*?\b(?:of|in|to|from)\s(?:the\s)?)(?P<noun>\S.*)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Conjunct:
    """One member of a coordinated phrase: the words it means, and where its own words stand in the phrase."""

    words: str
    start: int
    end: int


def split_conjuncts(phrase: str, known: Callable[[str], bool]) -> list[Conjunct]:
    """The members of a coordinated phrase in order. `known` says whether words are a name on their own."""
    if known(phrase) or _UNABLE.match(phrase) is not None:
        return [Conjunct(phrase, 0, len(phrase))]
    pieces = _pieces(phrase)
    merged: list[Conjunct] = []
    pending: list[Conjunct] = []
    for piece in pieces:
        if _is_adjective(piece.words) and piece is not pieces[-1]:
            pending.append(piece)
            continue
        if pending:
            head = _head(piece.words)
            if head:
                shared = [Conjunct(f"{p.words} {head}", p.start, p.end) for p in pending]
                merged += [shared[0], *(_graded(pending[0], s) for s in shared[1:])]
                merged.append(_graded(pending[0], piece))
            elif all(known(p.words) for p in pending) and (known(piece.words) or len(piece.words.split()) == 1):
                merged += [*pending, piece]
            else:
                merged.append(Conjunct(phrase[pending[0].start : piece.end], pending[0].start, piece.end))
            pending = []
            continue
        merged.append(piece)
    if pending:
        merged.append(Conjunct(phrase[pending[0].start :], pending[0].start, len(phrase)))
    return _share_names(_share_prepositions(phrase, merged, known), known)


def split_run(conjunct: Conjunct, known: Callable[[str], bool]) -> list[Conjunct]:
    """The states of a conjunct that were items of a list before it lost its layout ("Hyperkalemia Addison's disease").

    Cut before a capital where a known state stands on either side, and behind a disease before another known state; never inside a name
    ("Pediatric Patients under one month").
    """
    words = conjunct.words
    if conjunct.end - conjunct.start != len(words) or _RUN.search(words) is None or known(words):
        return [conjunct]
    out: list[Conjunct] = []
    at = 0
    for m in _RUN.finditer(words):
        before, behind = words[at : m.start()], words[m.end() :]
        if known(f"{before} {behind.split(maxsplit=1)[0]}"):
            continue
        nearest = _BRACKETS.sub("", _RUN.split(behind, maxsplit=1)[0]).strip()
        opens = behind[0].isupper() and not behind[:2].isupper() and len(before.split()) <= _SHORT
        whole = opens and _PREPOSITION.search(f" {before} ") is None and not _is_adjective(before) and not before.endswith("ed")
        if (known(before) and (_ITEM.match(behind) or known(behind) or known(nearest))) or (whole and (known(behind) or known(nearest))):
            out.append(Conjunct(before, conjunct.start + at, conjunct.start + m.start()))
            at = m.end()
    return [*out, Conjunct(words[at:], conjunct.start + at, conjunct.end)]


def _pieces(phrase: str) -> list[Conjunct]:
    """The stretches between separators; brackets and fixed pairs are not cut."""
    closed = [m.span() for p in (_PROTECTED, _SHARED_NOUN) for m in p.finditer(phrase)]
    depth = 0
    opened = -1
    for i, c in enumerate(phrase):
        if c in "([":
            opened = i if depth == 0 else opened
            depth += 1
        elif c in ")]" and depth:
            depth -= 1
            if depth == 0:
                closed.append((opened, i + 1))
    out: list[Conjunct] = []
    at = 0
    for m in _SEPARATOR.finditer(phrase):
        if any(s < m.end() and m.start() < e for s, e in closed):
            continue
        if m.start() > at:
            out.append(Conjunct(phrase[at : m.start()].strip(), at, m.start()))
        at = m.end()
    if at < len(phrase):
        out.append(Conjunct(phrase[at:].strip(), at, len(phrase)))
    return [p for p in out if p.words]


def _is_adjective(words: str) -> bool:
    parts = re.findall(r"[\w/'-]+", _OPENS.sub("", _BRACKETS.sub("", words)))
    told = [p for p in parts if p.lower() not in _SEVERITY]
    if parts and not told:
        return True
    return 0 < len(told) <= 2 and all(_ADJECTIVE.search(p) and p.lower() not in _NOUNS_LIKE_ADJECTIVES for p in told)


def _share_names(parts: list[Conjunct], known: Callable[[str], bool]) -> list[Conjunct]:
    """Members that are a name only with the last words of the list's end ("protein C, protein S, or antithrombin deficiency")."""
    out: list[Conjunct] = []
    for i, part in enumerate(parts):
        open_ = len(part.words.split()) <= _SHORT and not known(part.words) and not known(_ARTICLE.sub("", part.words))
        later = (p.words.split() for p in parts[i + 1 :]) if open_ else ()
        names = ((part.words, " ".join(words[at:])) for words in later for at in range(1, len(words)))
        head = next((head for said, head in names if known(f"{_PAST.sub('', said)} {head}")), None)
        out.append(Conjunct(f"{part.words} {head}", part.start, part.end) if head is not None else part)
    return out


def _graded(first: Conjunct, last: Conjunct) -> Conjunct:
    """The last member with the severity that the first one printed for both ("severe renal or hepatic impairment")."""
    words = [w.lower() for w in first.words.split()]
    grade = " ".join(first.words.split()[: next((i for i, w in enumerate(words) if w not in _SEVERITY), 0)])
    if grade and last.words.split()[0].lower() not in _SEVERITY:
        return Conjunct(f"{grade} {last.words}", last.start, last.end)
    return last


def _head(words: str) -> str:
    """What a phrase says behind its leading adjective ("duodenal obstruction" -> "obstruction"); empty when there is no adjective to lose."""
    parts = words.split()
    if len(parts) > 1 and _ADJECTIVE.search(parts[0]):
        return " ".join(parts[1:])
    if len(parts) > 2 and parts[0].lower() in _SEVERITY and _ADJECTIVE.search(parts[1]):  # "hepatic or severe renal dysfunction"
        return " ".join(parts[2:])
    return ""


def _share_prepositions(phrase: str, parts: list[Conjunct], known: Callable[[str], bool]) -> list[Conjunct]:
    """Two members where the phrase says "surgery of the brain or eye"; "ulceration or bleeding of the stomach" shares its "of the stomach"."""
    out: list[Conjunct] = []
    for part in parts:
        if out and _GENERIC.fullmatch(part.words) and len(out[-1].words.split()) > 1:
            out.append(Conjunct(f"{out[-1].words.rsplit(' ', 1)[0]} {part.words}", part.start, part.end))
            continue
        before = _OF_THE.match(out[-1].words) if out else None
        short = len(part.words.split()) <= 2 and not _PREPOSITION.search(f" {part.words} ")
        if before is not None and short and not known(part.words) and ("," not in phrase[out[-1].end : part.start] or _DISEASE.search(part.words) is None):
            out.append(Conjunct(before["head"] + part.words, part.start, part.end))
            continue
        out.append(part)
    for i in range(len(out) - 2, -1, -1):
        level = _OF_LEVEL.fullmatch(out[i + 1].words)
        measured = _MEASURED.fullmatch(out[i].words) if level is not None else None
        if level is not None and measured is not None and measured["substance"].lower() in wording()["measured"]:
            out[i] = Conjunct(out[i].words + level["tail"], out[i].start, out[i + 1].end)
            continue
        tail = re.search(r"\s(?:of|in)\sthe\s.*$", out[i + 1].words)
        words = out[i].words.split()
        bare = (len(words) == 1 or (len(words) == 2 and words[0].lower() in _SEVERITY)) and not _PREPOSITION.search(out[i].words)
        if tail is not None and bare and not known(out[i].words) and i == len(out) - 2:
            out[i] = Conjunct(out[i].words + tail[0], out[i].start, out[i].end)
    return out
