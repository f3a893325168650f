"""The substances that an insert's 【成份】 lists. Excipients, chemical names and descriptions are no substances; nothing is read in part."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from kb_builder.ingest.substances import MAX_SUBSTANCES
from ontology.text.document import SubstanceInfo

_HAN = "\u3400-\u9fff"
_LEAD = re.compile(
    r"(?:本品|本药|其|制剂)?(?:系|为|是)?(?:复方制剂|复合制剂|复方)?[，,]?(?:其|的|每\S{1,12}?[，,]?)?(?:主要|活性|有效|主要活性|主要有效)?(?:成[份分]|组[份分]|组成|处方)"
    r"(?:及其?(?:化学名称?|含量|剂量))?(?:名称)?(?:分别)?\s*(?:为|是|有|包括|包含|[:：])+\s*[:：]?"
    r"|(?:本品)?(?:为|系)(?=[^，,。]{2,20}(?:的)?(?:复方制剂|复方))"
)
_CONTAINS = re.compile(r"(?:本品)?(?:每\s*[^，,。:：]{0,16}?[，,]?\s*)?(?:中)?(?:主要)?(?:含有|含|由)(?!量)(?:主要|活性|有效)*(?:成[份分])?[:：]?\s*")
_NOT_ACTIVE = re.compile(r"(?:本品)?(?:所?用)?(?:其他)?(?:的)?(?:非活性成[份分]|辅料|赋形剂|附加剂)")
_CHEMISTRY = re.compile(r"[，,；;（(]?\s*(?<!及)(?<!及其)(?:其)?(?:化学名称?|化学结构式?|结构式|分子式|分子量|CAS)")
_AMOUNT = re.compile(
    r"\s*(?:各|约|相当于)?\s*(?P<amount>\d[\d.,]*(?:\s*(?:-|~|至)\s*\d[\d.]*)?\s*(?:mg|g|kg|ug|μg|µg|mcg|ml|l|iu|u|毫克|克|微克|毫升|升|(?:万)?(?:国际)?单位|%|份)(?:\s*/\s*\S{1,6})?)",
    re.IGNORECASE,
)
_WEIGHT = re.compile(r"每[^，,、]{1,12}[重装](?:约)?\s*\d[^，,、]*")
_ASIDE = re.compile(r"\s*[(（\[［][^()（）\[\]［］]*[)）\]］]")
_NAME = re.compile(rf"[{_HAN}A-Za-z][{_HAN}A-Za-z0-9αβγ·\- ,，]*?")
_TALK = re.compile(r"本品|为|每|含|以|呈|其|等|制成|组成|均|加入|所|辅料|化学|见|白色|黄色|颗粒|溶液$|粉末|提取工艺|之")
_SEPARATOR = re.compile(r"[、，,;；]|(?<=[\w)）])(?:和|与|及|以及)(?=[\u3400-\u9fff]{2})")


@dataclass(frozen=True, slots=True)
class Composition:
    """The substances in printed order; `unread` is a piece of the list that is no name, and then the list is not to be relied on."""

    substances: tuple[SubstanceInfo, ...]
    unread: str | None


def read_composition(text: str) -> Composition:
    """The substances of a section on composition, names verbatim, strengths as printed."""
    found: dict[str, SubstanceInfo] = {}
    for n, sentence in enumerate(_sentences(text)):
        listed = _list_of(sentence, first=n == 0)
        if listed is None:
            continue
        for piece in _pieces(listed):
            if _WEIGHT.fullmatch(piece):
                continue
            substance = _substance(piece)
            if substance is None:
                return Composition((), piece)
            known = found.get(substance.name)
            found[substance.name] = substance if known is None or known.strength is None else known
    if len(found) > MAX_SUBSTANCES:
        return Composition((), f"{len(found)} substances")
    return Composition(tuple(found.values()), None)


def _sentences(text: str) -> list[str]:
    """The sentences with active substances in them, without excipients and chemistry."""
    kept = []
    for sentence in re.split(r"。|\n\s*\n|\n(?=[^\n]{0,12}[:：])", text):
        active = _CHEMISTRY.split(_NOT_ACTIVE.split(sentence, maxsplit=1)[0], maxsplit=1)[0].strip(" \t\r\n，,；;:：#*")
        if active:
            kept.append(re.sub(r"(?<=[、，])\s*\n\s*|\s*\n\s*(?=[、，])", "", active))
    return kept


def _list_of(sentence: str, *, first: bool) -> str | None:
    """The list in a sentence, or None for a sentence that lists nothing."""
    lead = _LEAD.search(sentence)
    if lead:
        rest = sentence[lead.end() :]
        inner = _CONTAINS.match(rest)
        return rest[inner.end() :] if inner else rest
    contains = _CONTAINS.search(sentence)
    if contains:
        before = sentence[: contains.start()].strip(" ，,；;")
        if not before or re.search(r"每[^，,]*(?:重|装)", before) or contains.group().startswith(("每", "本品")):
            return sentence[contains.end() :]
        return None
    return sentence if first and not re.search(r"本品", sentence) else None


def _pieces(listed: str) -> list[str]:
    """The members of a list; commas within brackets part nothing."""
    flat = _ASIDE.sub(lambda m: re.sub(r"[、，,;；]", "\u2063", m.group()), listed.split("\n")[0] if "、" in listed.split("\n")[0] else listed)
    return [piece.replace("\u2063", "，").strip(" \t\r\n.：:") for piece in _SEPARATOR.split(flat) if piece.strip(" \t\r\n.：:")]


def _substance(piece: str) -> SubstanceInfo | None:
    """One member: its name, and its strength where it is printed; None for words that are no name."""
    inner = _CONTAINS.match(piece)
    bare = piece[inner.end() :] if inner else piece
    name = re.sub(r"(?:组成|制成)$", "", _ASIDE.sub("", bare)).strip()
    amount = _AMOUNT.search(unicodedata.normalize("NFKC", name))
    cut = re.search(r"(?:各|约|相当于)?\s*[\d０-９]", name)
    name = name[: cut.start()].strip() if cut and amount else name
    if not 2 <= len(name) <= 24 or not _NAME.fullmatch(name) or _TALK.search(name):
        return None
    return SubstanceInfo(name, None, None, amount["amount"].strip() if amount else None)
