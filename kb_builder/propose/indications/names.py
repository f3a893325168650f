"""Names of uses: a coordinated noun phrase taken apart into what a product is for, each with its place.

"edema associated with heart failure and cirrhosis" is two uses that share their head, "gastric, esophageal or junction cancer" is one, "nausea and
vomiting" too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from kb_builder.propose.indications.book import indication_book
from kb_builder.propose.reading.items import NO_BREAK_BEFORE

_SEPARATOR = re.compile(
    r"\s*;\s*|\s+[-–—]\s+|\s*,(?!\d{3}\b)(?!\s*with\s+(?:or|and)\s+without\b)\s*(?:(?:and/or|and|or)\s+)?|\s+(?:and/or|and|or|as well as)\s+|(?<=\w)/(?=[A-Z][a-z]{3})",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_SHORT_FORM = re.compile(
    r"\s*[(\[]\s*(?:[a-z]{0,2}[A-Z]{2,}s?|Ph\+\s?\w+|[A-Z][\w./+-]*[A-Z\d][\w./+-]*|[A-Z]{1,6}s?|[A-Z]{2,}[\w -]{0,6}[A-Z])\s*[)\]]|\s*[®™]"
)
_PREPOSITION = re.compile(
    r"\s(?:of|in|with|due|associated|caused|secondary|following|after|from|to|by|on|at|resulting|related|occurring|during|without|where|when|accompan\w+)\s",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"\b(?:associated with|due to|caused by|secondary to|resulting from|related to|accompanying|accompanied by|complications (?:of|in))\b", re.IGNORECASE
)
_CUT_SHORT = re.compile(r"\s+(?:caused by|due to)\s+\w$", re.IGNORECASE)
_DEFINITION = re.compile(
    r"\b(\w{4,})\s*\((?:[\w-]+\s+){0,4}\1\b,?(?:\s+[\w-]+,?){3,}[^()]*\)|(\w)\s*\(\w+(?:\s+\w+){1,4},\s+(?:presenting|characterized|defined)\b[^()]*\)",
    re.IGNORECASE,
)
"""A bracket that says once more, and longer, what the word before it is: "late-onset disease (partial disease, presenting after ...)"."""
_PURPOSE_BEHIND = re.compile(r"\s+(?:management|relief)$", re.IGNORECASE)
_AND_ITS = re.compile(r"\s+and\s+(?:its|their)\s+\w+.*$", re.IGNORECASE)
_ADJECTIVE = re.compile(r"\b(?:of|with|due to)\s+(?:the\s+|an?\s+)?(?:\w+,\s+)*\w+(?:ic|al|ive|ous|ary)$", re.IGNORECASE)
_COLON = re.compile(r":(?=\s|$)(?![^()]*(?<!\s[a-h\d])\))")
_SENTENCE = re.compile(r"\s(?:is|are|was|were|may|should|must|can|will|would|has|have|had|does|do|begins?|continues?)\s", re.IGNORECASE)
_NOT_STATE = re.compile(
    r"(?:idiopathic\s+or|by|have|has|helps?|monitor|either|usually|who|be|being|maintain|achieve|add|see|known|producing)\s.*|(?:adult|pediatric)\b(?:\s+and\s+(?:adult|pediatric)\b)?(?:\s*\(.*)?|.*\brecommend\b.*|(?:[\w-]+\s+){0,2}(?:hours?|days?|weeks?|months?|years?)|.*\b(?:levels?|concentrations?|goals?)|.*\b(?:group|population|number|majority|minority)|(?:elevated\s+)?(?:blood|serum|plasma)\s+levels?\b.*|\d+\s.*|\w+ing\s+(?:\w+\s+)?(?:therapy|treatment)\b.*",
    re.IGNORECASE,
)
_NEXT_ITEM = re.compile(r"(?<=[a-z)\]])\s+(?=[A-Z][a-z]{3,}\s)")
_LOWER_WORD = re.compile(r"(?:^|\s)[a-z]{4,}")
_LONGEST = 20
Known = Callable[[str], bool]
_LONGEST_STATE = 600  # the head of a name never stands as far behind its beginning


@dataclass(frozen=True, slots=True)
class Name:
    """The words of one use, and where its own words stand in the text."""

    words: str
    start: int
    end: int


def split_names(text: str, start: int, end: int, known: Known) -> list[Name]:
    """The uses that a noun phrase `[start, end)` names, in order. `known` says whether words are a name on their own."""
    colon = _COLON.search(text, start, end)
    plain, until = _without_asides(text, start, colon.start() if colon is not None and clean_name(text[start : colon.start()]) else end)
    return [n for n in _split(plain, start, until, known) if _is_name(n.words)]


@lru_cache(maxsize=4096)
def clean_name(words: str) -> str:
    """The words without what only introduces or trails them, and without the short forms that brackets repeat."""
    book = indication_book()
    line = " ".join(_SHORT_FORM.sub("", words.replace("\x01", " ").replace("\u2029", " ")).split())
    line = _CUT_SHORT.sub("", line)
    line = _DEFINITION.sub(lambda m: m[1] or m[2], line)
    while (bare := book.tail.sub("", book.lead.sub("", line, count=1))) != line:
        line = bare
    purpose = _PURPOSE_BEHIND.search(line)
    if purpose is not None and ends_as_state(line[: purpose.start()]):
        line = line[: purpose.start()]
    return line.strip(" ,;:.•*")


def _without_asides(text: str, start: int, end: int) -> tuple[str, int]:
    """The text with its bracketed examples blanked, and where the phrase ends before an example without brackets ("including ...", "such as ...")."""
    book = indication_book()
    plain = text[:end]
    at = start + 2
    while (first := _first(book.aside.search(plain, at), book.symptoms.search(plain, at))) is not None:
        opened = plain.count("(", start, first.end()) > plain.count(")", start, first.end())
        stop = plain.find(")" if opened else ";", first.end())
        if stop < 0:
            return plain, first.start()
        cut = stop + 1 if opened else stop
        plain = plain[: first.start()] + " " * (cut - first.start()) + plain[cut:]
        at = cut
    return plain, end


def _first(*found: re.Match[str] | None) -> re.Match[str] | None:
    return min((m for m in found if m is not None), key=lambda m: m.start(), default=None)


def _split(text: str, start: int, end: int, known: Known) -> list[Name]:
    phrase = clean_name(text[start:end])
    if known(phrase):
        return [Name(phrase, start, end)]
    out: list[Name] = []
    pending: list[tuple[int, int]] = []
    linked = 0  # members with a cause of their own: where each has one, the next member has none of theirs
    pieces = _pieces(text, start, end)
    for index, (at, until) in enumerate(pieces):
        words = clean_name(text[at:until])
        if not words:
            continue
        if out and not pending and _ends_open(out[-1].words):
            out[-1] = Name(clean_name(text[out[-1].start : until]), out[-1].start, until)
            continue
        if not _stands_alone(words, known):
            if out and (head := _shared_head(out[-1].words)) and not pending:
                out.append(Name(f"{head} {words}", at, until))
            elif index < len(pieces) - 1:
                pending.append((at, until))
            elif out and not pending:
                out[-1] = Name(clean_name(text[out[-1].start : until]), out[-1].start, until)
            else:
                first = pending[0][0] if pending else at
                out.append(Name(clean_name(text[first:until]), first, until))
                pending = []
            continue
        if pending:
            out += _with_adjectives(text, pending, (at, until), known)
            pending = []
        elif linked == 1 and _STRONG.search(out[-1].words) and _STRONG.search(words) is None:
            link = list(_STRONG.finditer(out[-1].words))[-1]
            out.append(Name(f"{out[-1].words[: link.end()]} {words}", at, until))
        else:
            linked += _STRONG.search(words) is not None
            out.append(Name(words, at, until))
    if pending:
        out.append(Name(clean_name(text[pending[0][0] : end]), pending[0][0], end))
    return out


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The stretches between separators; brackets and fixed pairs are not cut."""
    closed = [m.span() for p in (_BRACKETS, indication_book().protected) for m in p.finditer(text, start, end)]
    out: list[tuple[int, int]] = []
    at = start
    for m in sorted((*_SEPARATOR.finditer(text, start, end), *_NEXT_ITEM.finditer(text, start, end)), key=lambda m: m.start()):
        if any(s < m.end() and m.start() < e for s, e in closed) or (m.re is _NEXT_ITEM and not _ends_item(text[at : m.start()])):
            continue
        if m.start() > at:
            out.append((at, m.start()))
        at = m.end()
    if at < end:
        out.append((at, end))
    return out


def _ends_item(words: str) -> bool:
    """True for an item in small letters that ends as the name of a state: a capital behind it begins the next one of a flattened list."""
    return _LOWER_WORD.search(words) is not None and NO_BREAK_BEFORE.search(words) is None and ends_as_state(words.rsplit(",", 1)[-1])


def _stands_alone(words: str, known: Known) -> bool:
    """True for words that name a state on their own: known ones, or such as end like the name of one."""
    bare = _AND_ITS.sub("", _BRACKETS.sub("", words)).strip()
    return known(bare) or ends_as_state(bare)


def ends_as_state(words: str) -> bool:
    """True for words whose head ends like the name of a disease, symptom or procedure."""
    bare = _BRACKETS.sub("", words[:_LONGEST_STATE]).strip()
    cut = _PREPOSITION.search(f"{bare} ")
    return indication_book().whole.search(bare[: cut.start()] if cut else bare) is not None


def _ends_open(words: str) -> bool:
    """True for words that end with an adjective, whose noun is still to come ("discomfort associated with acute")."""
    return _ADJECTIVE.search(words) is not None or (len(words.split()) > 1 and indication_book().narrow.match(f"{words.split()[-1]} ") is not None)


def _shared_head(words: str) -> str | None:
    """What a member shares with the next one that is no name itself: "infections of the" of "infections of the skin"."""
    found = list(indication_book().shared.finditer(words))
    return words[: found[-1].end()].strip() if found and found[-1].start() > 0 else None


def _with_adjectives(text: str, pending: list[tuple[int, int]], last: tuple[int, int], known: Known) -> list[Name]:
    """One name for "duodenal or gastric ulcer", unless each adjective with the noun is a known name of its own."""
    words = clean_name(text[slice(*last)])
    parts = words.split()
    book = indication_book()
    expanded: list[Name] = []
    for at, until in pending:
        adjective = clean_name(text[at:until])
        graded = book.narrow.match(f"{adjective} ") is not None or book.plain.match(f"{adjective} ") is not None
        name = next((n for i in range(1, len(parts)) if not graded and known(n := f"{adjective} {' '.join(parts[i:])}")), None)
        if name is not None:
            expanded.append(Name(name, at, until))
    if len(expanded) == len(pending) and known(words):
        return [*expanded, Name(words, *last)]
    return [Name(clean_name(text[pending[0][0] : last[1]]), pending[0][0], last[1])]


def _is_name(words: str) -> bool:
    book = indication_book()
    if re.search(r"[A-Za-z]{3}|\b[A-Z]{2}", words) is None or book.purpose_only.fullmatch(words) is not None or book.never.search(words) is not None:
        return False
    if _SENTENCE.search(words) is not None or _NOT_STATE.fullmatch(words) is not None:
        return False
    return words.lower() not in book.generic and len(_BRACKETS.sub(" ", words).split()) <= _LONGEST
