"""The text of a file's bytes, by a fixed rule: byte order marks, UTF-8, then the encodings that labels come in, each only where it fits.

A text that is not UTF-8 is decoded by a guess, and the guess is named. What fits nothing is refused with the byte and its place.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

import charset_normalizer

_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""UTF-32 before UTF-16: the mark of the one begins with that of the other."""
GUESSED = ("gb18030", "big5", "cp1252")
SHOWN = {"gb18030": "GB18030", "big5": "Big5", "cp1252": "Windows-1252", "utf-8": "UTF-8"}
_HIGH = re.compile(rb"[\x80-\xff]+")
_UTF8_RUN = re.compile(rb"(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+")
_GB2312 = re.compile(rb"(?:[\xa1-\xf7][\xa1-\xfe])+")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_PRINTED = re.compile("[®™©°±µ×÷½¼¾²³¹·•–—‘’“”…†‡§¶«»‰ßäöüÄÖÜàáâçèéêëìíîïñòóôùúûøåæÉÀ\u00a0]")
_HAN = re.compile("[\u3400-\u9fff]")
_EVERYDAY = re.compile("[的一不是用药藥者服本品或和为為有应應可在等时時患量日次口及与與其后後对對过過人儿兒]")
_ENOUGH = 30
_SPOKEN = 0.12
"""Share of everyday characters among the Chinese ones of a text of some length: 20 to 30 % in labels, below 7 % where Korean or Japanese bytes are read as Chinese."""
SAMPLE = 256 * 1024
FITTING = 0.9
"""Share of the bytes beyond ASCII, or of the characters they give, that an encoding must explain to be taken for the right one."""


class Undecodable(Exception):
    """Bytes that are no text, or of no known encoding; carries the reason with the byte and its place."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the encoding it was read in, and whether that was a guess."""

    text: str
    encoding: str
    guessed: bool


def decode_text(data: bytes) -> Decoded:
    """The text of some bytes. Raises Undecodable."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return Decoded(_checked(_strict(data[len(mark) :], name, len(mark))), name, guessed=False)
    if b"\x00" in data:
        at = data.index(b"\x00")
        raise Undecodable(f"byte {at} is 0x00: a binary file, or UTF-16 without its byte order mark")
    try:
        return Decoded(_checked(data.decode("utf-8")), "utf-8", guessed=False)
    except UnicodeDecodeError as e:
        guess = _guess(data)
        if guess is None:
            raise Undecodable(f"the text is not UTF-8 and of no encoding that could be told: {_place(data, e.start)}") from e
        return guess


def _strict(data: bytes, name: str, before: int) -> str:
    try:
        return data.decode(name)
    except UnicodeDecodeError as e:
        raise Undecodable(f"the text is marked {name.upper()} and is not: {_place(data, e.start, before)}") from e


def _checked(text: str) -> str:
    found = _CONTROL.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise Undecodable(f"line {line} holds the control character 0x{ord(found.group()):02x}: a binary file")
    return text


def _place(data: bytes, at: int, before: int = 0) -> str:
    line = data.count(b"\n", 0, at) + 1
    return f"byte {at + before} is 0x{data[at]:02x}, line {line}"


def _guess(data: bytes) -> Decoded | None:
    """The first encoding that fits, in a fixed order; none where most of it is UTF-8 with damage."""
    high = sum(len(m.group()) for m in _HIGH.finditer(data))
    if sum(len(m.group()) for m in _UTF8_RUN.finditer(data)) >= FITTING * high and _UTF8_RUN.search(data):
        return None
    if sum(len(m.group()) for run in _HIGH.finditer(data) for m in _GB2312.finditer(run.group())) >= FITTING * high:
        text = _tried(data, "gb18030")
        if text is not None and _chinese(text):
            return Decoded(text, SHOWN["gb18030"], guessed=True)
    text = _tried(data, "cp1252")
    if text is not None and _latin(text):
        return Decoded(text, SHOWN["cp1252"], guessed=True)
    best = charset_normalizer.from_bytes(data[:SAMPLE], cp_isolation=list(GUESSED)).best()
    text = _tried(data, best.encoding) if best is not None and best.encoding in GUESSED else None
    fits = text is not None and best is not None and (_latin(text) if best.encoding == "cp1252" else _chinese(text))
    return Decoded(text, SHOWN[best.encoding], guessed=True) if fits and text is not None and best is not None else None


def _tried(data: bytes, name: str) -> str | None:
    try:
        text = data.decode(name)
    except UnicodeDecodeError:
        return None
    return None if _CONTROL.search(text) else text


def _latin(text: str) -> bool:
    beyond = [c for c in text if c > "\x7f"]
    return len(_PRINTED.findall("".join(beyond))) >= FITTING * len(beyond)


def _chinese(text: str) -> bool:
    beyond = [c for c in text if c > "\x7f"]
    fitting = sum(
        1 for c in beyond if "\u3400" <= c <= "\u9fff" or "\u3000" <= c <= "\u303f" or "\uff00" <= c <= "\uffef" or c in "·—…“”‘’℃°±×≥≤μαβγ％①②③④⑤⑥⑦⑧⑨⑩ⅠⅡⅢⅣⅤ"
    )
    han = _HAN.findall(text)
    spoken = len(han) < _ENOUGH or len(_EVERYDAY.findall(text)) >= _SPOKEN * len(han)
    return fitting >= FITTING * len(beyond) and spoken
