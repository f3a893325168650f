"""What is known of label sections: their codes, their printed headings, and what state their text is in.

The tables are `data/sections.tsv`, `data/headings.tsv` and `data/none_words.tsv`; each row names its source.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import defaultdict
from functools import cache, lru_cache
from importlib.resources import files

from ontology.text.document import SectionState


def table_rows(name: str) -> list[dict[str, str]]:
    """The rows of a shipped table of this package."""
    text = files("kb_builder.ingest").joinpath("data", name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def _sections() -> dict[str, tuple[str, str]]:
    return {row["key"]: (row["loinc"], row["title"]) for row in table_rows("sections.tsv")}


@cache
def _headings() -> dict[str, str]:
    return {normal_heading(row["heading"]): row["key"] for row in table_rows("headings.tsv")}


@cache
def _headings_of() -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = defaultdict(set)
    for row in table_rows("headings.tsv"):
        found[row["key"]].add(row["heading"])
    for key, (_, title) in _sections().items():
        found[key].add(title)
    return {key: tuple(sorted(headings, key=len, reverse=True)) for key, headings in found.items()}


def shouted_headings() -> tuple[str, ...]:
    """The known English headings in capitals, longest first."""
    english = (row["heading"].upper() for row in table_rows("headings.tsv") if row["language"] == "en")
    return tuple(sorted(english, key=len, reverse=True))


def loinc_of(key: str) -> str | None:
    """The section's LOINC code, or None where none is known."""
    row = _sections().get(key)
    return row[0] if row else None


def title_of(key: str) -> str:
    """The section's title as a person reads it; an unknown key with its underscores as spaces."""
    row = _sections().get(key)
    return row[1] if row else key.removeprefix("openfda.").replace("_", " ").capitalize()


_CJK = "\u4e00-\u9fff"
_NUMBERING = re.compile(r"(?:\d+(?:\.\d+)*[.、]?\s+|\d+(?:\.\d+)*[.、]\s*(?=[\u4e00-\u9fff])|[一二三四五六七八九十]+、\s*|[(][一二三四五六七八九十]+[)]\s*)")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
"""Soft hyphens, characters of no width, marks of direction, byte order marks: what a heading may hold and nobody sees."""
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_CONTINUED = re.compile(r"\s*[(]\s*(?:continued|cont'?d?\.?|续|in each [^()]{1,60})\s*[)]$")


def normal_heading(text: str) -> str:
    """A heading in the form headings are compared in: no tags, nothing invisible, no numbering, no 【】, no closing colon, no spaces between Chinese characters, lower case."""
    folded = unicodedata.normalize("NFKC", _INVISIBLE.sub("", _TAG.sub("", text))).casefold().strip().strip("#*_").strip()
    folded = _CONTINUED.sub("", folded)
    folded = re.sub(r"^[\[【〖(（]+|[\]】〗)）:：.*]+$", "", folded).strip()
    folded = _NUMBERING.sub("", folded, count=1) if _NUMBERING.match(folded) else folded
    folded = re.sub(rf"(?<=[{_CJK}])\s+(?=[{_CJK}])", "", folded)
    return re.sub(r"\s+", " ", folded).strip("[]【】〖〗 ")


@lru_cache(maxsize=4096)
def known_key(heading: str) -> str | None:
    """The section key a printed heading stands for, or None when no table holds it."""
    return _headings().get(normal_heading(heading))


def key_of_heading(heading: str) -> str:
    """The section key a printed heading stands for; a heading that no table holds gives a key made of its own words."""
    return known_key(heading) or re.sub(r"\W+", "_", normal_heading(heading)).strip("_") or "untitled"


def outline_place(key: str) -> tuple[int | None, frozenset[str]]:
    """A section's number in labels of the numbered format, and the sections that it stands within where it has no number of its own."""
    return _places().get(key, (None, frozenset()))


@cache
def _places() -> dict[str, tuple[int | None, frozenset[str]]]:
    return {row["key"]: (int(row["number"]) if row["number"] else None, frozenset(row["parents"].split())) for row in table_rows("outline.tsv")}


@cache
def _words_pattern(says: str) -> re.Pattern[str]:
    """A text that holds nothing but words of the table that say `none`, or that say `unknown`."""
    rows = [row for row in table_rows("none_words.tsv") if row["says"] == says]
    words = "|".join(re.escape(row["words"]).replace(r"\ ", r"\s+") for row in sorted(rows, key=lambda row: -len(row["words"])))
    one = rf"[\s•·*\-–]*(?:\d{{1,2}}[.、．]\s*)?(?:{words})[\s.。;；,，]*(?:[(\[]\s*\d+(?:\.\d+)?\s*[)\]][\s.。]*)*"
    return re.compile(rf"(?:{one})+", re.IGNORECASE)


@cache
def _heading_pattern(key: str) -> re.Pattern[str]:
    headings = "|".join(re.escape(heading).replace(r"\ ", r"\s+") for heading in _headings_of().get(key, (title_of(key),)))
    return re.compile(rf"\s*(?:\d+(?:\.\d+)*\.?\s*)?[【\[]?(?:{headings})\b[】\]]?[\s:：.]*", re.IGNORECASE)


_ONLY_A_REFERENCE = re.compile(r"[(\[\s]*see\s[^.;]{0,80}[)\]\s.]*", re.IGNORECASE)


def state_of(key: str, text: str) -> SectionState:
    """Whether the text says something, says "None", says that it is not known, is a heading or a cross-reference without content, or is blank."""
    if not text.strip():
        return SectionState.EMPTY
    body = _heading_pattern(key).sub("", text, count=1) if _heading_pattern(key).match(text) else text
    if not re.search(r"\w", body):
        return SectionState.STUB
    if _words_pattern("none").fullmatch(body):
        return SectionState.NONE
    if _words_pattern("unknown").fullmatch(_bare(key, body)):
        return SectionState.UNKNOWN
    return SectionState.STUB if _ONLY_A_REFERENCE.fullmatch(body) else SectionState.TEXT


def _bare(key: str, body: str) -> str:
    """A Chinese statement without the words that name the section again: "本品禁忌尚不明确" is "尚不明确"."""
    named = "|".join(re.escape(h) for h in _headings_of().get(key, ()) if not h.isascii())
    return re.sub(rf"^\s*(?:本品|该药|对于)?的?(?:{named})?[，,]?", "", body) if named else body
