"""A name as it was meant to be shown: without the entities, invisible characters and trade marks that systems leave in it."""

from __future__ import annotations

import html
import re

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,30});")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_TRADE_MARK = re.compile(r"[®™℠©]|(?<=\w)\((?:r|tm)\)(?!-)", re.IGNORECASE)
_ARROW = re.compile(r"[-=]+>|<[-=]+|[→⇒➔➜]")
_DENYING = re.compile("[∅⊘⌀\u20e0¬≠✖✗✘❌☓⛔🚫\ufffd\u202a-\u202e\u2066-\u2069]|~~")


def plain_text(text: str) -> str:
    """The text with HTML entities read, invisible characters taken out, trade marks blank, an arrow from one to another as a comma."""
    shown = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text) if "&" in text else text
    return _ARROW.sub(" , ", _TRADE_MARK.sub(" ", _INVISIBLE.sub("", shown)))


def denying_signs(text: str) -> tuple[str, ...]:
    """The signs that strike a name out, turn it round or stand for a lost character: beside one, no name is certain."""
    return tuple(_DENYING.findall(text))
