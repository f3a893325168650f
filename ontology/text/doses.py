"""Doses in prose: what amount, how often, how long, and whether it is a ceiling. Pure text to values, English and Chinese.

The grammar lies in `ontology/text/dosing/`; this module is its face.
"""

from __future__ import annotations

from ontology.text.dosing.phrases import DosePhrase, read_doses

__all__ = ["DosePhrase", "read_doses"]
