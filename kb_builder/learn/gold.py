"""Gold facts read from files, every line checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from kb_builder.errors import GoldError
from kb_builder.learn.flat import FlatFact

_DECODER = msgspec.json.Decoder(FlatFact)


def read_gold(paths: Iterable[Path]) -> list[FlatFact]:
    """The facts of JSON Lines files, and of the `*.jsonl` files of folders. Raises GoldError naming file, line and what is wrong there."""
    facts = [fact for path in paths for file in _files(path) for fact in _read_file(file)]
    if not facts:
        raise GoldError("the gold files hold no fact; each line is one JSON object")
    return facts


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("*.jsonl"))
    if not found:
        raise GoldError(f"{path}: the folder holds no .jsonl file")
    return found


def _read_file(path: Path) -> Iterator[FlatFact]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as e:
        raise GoldError(f"{path}: {e.strerror or e}") from e
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            fact = _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as e:
            raise GoldError(f"{path}, line {number}: {e}") from e
        problem = _problem(fact)
        if problem:
            raise GoldError(f"{path}, line {number}: {problem}")
        yield fact


def _problem(fact: FlatFact) -> str | None:
    """What a fact of this kind lacks, or None."""
    if not fact.doc or not fact.drug:
        return "a fact without `doc` or without `drug`"
    if fact.kind == "dosage":
        return None if fact.dose is not None else "a dosage without `dose`"
    if fact.kind == "population":
        return None if fact.axis else "a population fact without `axis`"
    if fact.target is None or not fact.target.name.strip():
        return f"{'an' if fact.kind[0] in 'aeiou' else 'a'} {fact.kind} without the name of its `target`"
    return None
