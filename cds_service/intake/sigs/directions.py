"""What an instruction says of food, water and handling, beside dose, route, frequency and duration."""

from __future__ import annotations

from cds_service.intake.sigs.expand import expand
from cds_service.intake.sigs.lexicon import SECTIONS, Phrases

_DIRECTIONS = Phrases(SECTIONS["directions"]["words"])


def directions_of(said: str) -> tuple[str, ...]:
    """The directions in the order they stand, abbreviations written out, each once ("with food", "at bedtime", "do not crush")."""
    plain = expand(said)
    return tuple(dict.fromkeys(m[0].lower() for m in _DIRECTIONS.find_all(plain.text, plain.words)))
