"""The text of clinical documents that came with the request."""

from __future__ import annotations

import base64
import binascii
from html.parser import HTMLParser

from cds_service.intake.fhir.reading import Unreadable, reference_to, require_known_modifiers
from cds_service.intake.fhir.values import Resource, first_day, mapping, objects, text
from cds_service.intake.prescription import Source

UNUSABLE = frozenset({"entered-in-error", "superseded"})


def read_note(resource: Resource) -> tuple[tuple[str, Source], ...]:
    """The texts of a document's attachments with their source. Raises Unreadable when an attachment is not here or is no text."""
    if text(resource.get("status")) in UNUSABLE or text(resource.get("docStatus")) in UNUSABLE:
        return ()
    require_known_modifiers(resource)
    source = Source(reference_to(resource) or "DocumentReference", first_day(resource, "date", "created", "indexed"), "notes")
    attachments = [mapping(c.get("attachment")) for c in objects(resource.get("content"))]
    if not attachments:
        raise Unreadable("has no content")
    read = [(a, _text(a)) for a in attachments if a.get("data") is not None]
    if not read:
        raise Unreadable("refers to its content by address; the text did not come with the request")
    return tuple((said, source) for _, said in read if said.strip())


def _text(attachment: Resource) -> str:
    kind = (text(attachment.get("contentType")) or "text/plain").split(";")[0].strip().lower()
    if not kind.startswith("text/"):
        raise Unreadable(f"is of the type {kind[:40]}, not text")
    data = attachment.get("data")
    try:
        said = base64.b64decode(data if isinstance(data, str) else "", validate=False).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError) as e:
        raise Unreadable("is not base64 of UTF-8 text") from e
    return _visible(said) if kind in ("text/html", "text/xml") else said


def _visible(html: str) -> str:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return "".join(reader.parts)


class _Reader(HTMLParser):
    """Collects the text a reader of the page would see, block elements on their own lines."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in ("script", "style")
        if tag in ("p", "br", "div", "li", "tr", "h1", "h2", "h3"):
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.hidden = max(0, self.hidden - (tag in ("script", "style")))

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data)
