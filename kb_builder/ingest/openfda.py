"""openFDA drug-label bulk files, streamed record by record.

A bulk file is `{"meta": ..., "results": [record, ...]}`; a bare list of records and a single record are read too. A record's fields become
sections with the text exactly as spans count it: the field's strings joined by a newline.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import ijson

from kb_builder.ingest.openfda_record import RecordRefused, read_record
from kb_builder.ingest.reader import ByteStream, Damaged, Item, Noted, Refused, SourceFile

MAX_DEPTH = 32
"""Nesting of a record; real ones nest three levels."""
CHUNK = 64 * 1024
MAX_DIGITS = 1_000
"""Longest run of digits that the parser is given; far longer ones end the process inside the parser's library."""
MAX_STRANGE = 100
"""Entries that are no records before the rest of the file is left unread; a file of labels has none."""
_DIGITS = re.compile(rb"[0-9]{%d}" % (MAX_DIGITS + 1))


class OpenFdaReader:
    """Reads openFDA label records."""

    kind = "openfda"
    suffixes = (".json",)

    def read(self, source: SourceFile) -> Iterator[Item]:
        """Every record's document, every refused record or field, and a last Refused when the file breaks off."""
        index = -1
        strange = 0
        try:
            with source.open() as stream:
                for index, record in enumerate(stream_records(stream)):
                    strange += not isinstance(record, dict | Refused)
                    if strange > MAX_STRANGE:
                        raise Damaged(f"more than {MAX_STRANGE} entries that are no records: the rest is left unread. Is this a file of openFDA labels?")
                    yield from _documents(source.name, index, record)
        except Damaged as e:
            yield Refused(source.name, None, None, f"{e}; {_so_far(index + 1)}")
        else:
            if index < 0:
                yield Refused(source.name, None, None, "no record in it: an openFDA file has a list `results`, or is one record with a `set_id`")


def _so_far(count: int) -> str:
    return "nothing could be read" if count == 0 else f"the {count} record{'s' if count > 1 else ''} before it were read"


def _documents(name: str, index: int, record: object) -> Iterator[Item]:
    if isinstance(record, Refused):
        yield Refused(name, index, None, record.reason)
        return
    if not isinstance(record, dict):
        yield Refused(name, index, None, f"a record is an object, this is {_kind(record)}")
        return
    try:
        document, notes = read_record(record)
    except RecordRefused as e:
        yield Refused(name, index, e.field, e.reason)
        return
    yield document
    yield from ((Refused if lost else Noted)(name, index, field, reason) for field, reason, lost in notes)


def _kind(value: object) -> str:
    names = {str: "a string", list: "a list", bool: "true or false", type(None): "null", dict: "an object"}
    return names.get(type(value), "a number")


class _Guarded:
    """A stream without the byte order mark at its head, and without numbers of any length."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._head: bytes | None = None
        self._tail = b""

    def read(self, size: int = -1) -> bytes:
        if size == 0:
            return b""
        if self._head is None:
            self._head = self._stream.read(CHUNK)
            if self._head.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise Damaged("the text is UTF-16; openFDA files are UTF-8")
            return self._checked(self._head.removeprefix(b"\xef\xbb\xbf"))
        return self._checked(self._stream.read(size))

    def _checked(self, data: bytes) -> bytes:
        if _DIGITS.search(self._tail + data):
            raise Damaged(f"a number of more than {MAX_DIGITS:,} digits")
        self._tail = (self._tail + data)[-MAX_DIGITS:]
        return data


def stream_records(stream: ByteStream) -> Iterator[object]:
    """The records one by one, numbers as int or Decimal; a record nested too deeply comes as a Refused. Raises Damaged."""
    events = ijson.basic_parse(_Guarded(stream), buf_size=CHUNK)
    try:
        first = next(events, None)
        if first is None:
            raise Damaged("the file is empty")
        if first[0] == "start_array":
            yield from _list_items(events, stream)
        elif first[0] == "start_map":
            yield from _members(events, stream)
        else:
            raise Damaged(f"the file holds {_kind(first[1])}, not records")
        for _ in events:  # reads to the end, so that text after the last bracket and a bad checksum show
            stream.mark()
    except ijson.JSONError as e:
        raise Damaged(_explain(e)) from e
    except UnicodeDecodeError as e:
        raise Damaged(f"the text is not UTF-8: {e.reason}") from e


def _members(events: Iterator[tuple[str, Any]], stream: ByteStream) -> Iterator[object]:
    """The records under `results`; without one, the object itself when it is a record."""
    itself: dict[str, object] = {}
    found = False
    for event, key in events:
        if event == "end_map":
            break
        kind, value = next(events)
        if key == "results" and kind == "start_array":
            found = True
            yield from _list_items(events, stream)
        else:
            itself[str(key)] = _value(kind, value, events)
        if found:
            stream.mark()
    if not found and "set_id" in itself:
        yield itself


def _list_items(events: Iterator[tuple[str, Any]], stream: ByteStream) -> Iterator[object]:
    for kind, value in events:
        if kind == "end_array":
            return
        yield _value(kind, value, events)
        stream.mark()


def _value(kind: str, value: Any, events: Iterator[tuple[str, Any]]) -> object:
    """One value from its first event; a Refused when it nests too deeply."""
    if kind not in ("start_map", "start_array"):
        return value
    builder = ijson.ObjectBuilder()
    builder.event(kind, value)
    depth, deepest = 1, 1
    for inner, held in events:
        if deepest <= MAX_DEPTH:
            builder.event(inner, held)
        depth += {"start_map": 1, "start_array": 1, "end_map": -1, "end_array": -1}.get(inner, 0)
        deepest = max(deepest, depth)
        if depth == 0:
            break
    return Refused("", None, None, f"nested deeper than {MAX_DEPTH} levels") if deepest > MAX_DEPTH else builder.value


def _explain(error: ijson.JSONError) -> str:
    """The parser's complaint in one line."""
    message = error.args[0] if error.args else str(error)
    text = message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
    line = text.strip().splitlines()[0].rstrip(".") if text.strip() else "parse error"
    if "UTF8" in line or "utf" in line.casefold():
        return f"the text is not UTF-8 ({line})"
    if "premature EOF" in line or "Incomplete" in line:
        return "the JSON breaks off"
    return f"not JSON ({json.dumps(line)[1:-1]})"
