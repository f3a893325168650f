"""The real SPL labels through the readers, held against a reading of the XML that shares no code with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kb_builder.ingest.reader import Noted
from kb_builder.ingest.registry import read_sources
from ontology.text.document import Document, Section

pytestmark = pytest.mark.shared

FILES = ("cough_otc", "haloperidol_2010", "humira_2013", "remdesivir_2020", "viagra_2017")
V3 = "{urn:hl7-org:v3}"


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def own_text(section: ElementTree.Element) -> str:
    """Title, text and nested sections, squeezed, in document order, without the Highlights."""
    found = ""
    for element in section:
        if element.tag in (f"{V3}title", f"{V3}text"):
            found += squeezed("".join(element.itertext()))
        elif element.tag == f"{V3}component":
            found += "".join(own_text(nested) for nested in element.findall(f"{V3}section"))
    return found


def is_made_of(text: str, pieces: list[str]) -> bool:
    """True when the text is some of the pieces one behind the other, in their order."""
    reached = {0}
    for piece in pieces:
        reached |= {at + len(piece) for at in reached if piece and text.startswith(piece, at)}
    return len(text) in reached


class TableText(HTMLParser):
    """The squeezed text of some HTML."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.text = ""
        self.feed(markup)

    def handle_data(self, data: str) -> None:
        self.text += squeezed(data)


class Label:
    """One real label: the document, and the XML as the standard library reads it."""

    def __init__(self, path: Path) -> None:
        items = [item for _, item in read_sources((path,))]
        (self.document,) = (item for item in items if isinstance(item, Document))
        self.others = [item for item in items if not isinstance(item, Document)]
        self.root = ElementTree.parse(path).getroot()

    def text_sections(self) -> Iterator[Section]:
        return (s for s in self.document.sections if not s.key.startswith(("openfda.", "spl.", "spl_product_data")))


@pytest.fixture(scope="module", params=FILES)
def label(request: pytest.FixtureRequest, shared: Path) -> Label:
    return Label(shared / "data" / "labels" / "spl" / f"{request.param}.xml")


def test_a_real_label_is_read_whole_with_reservations_at_most(label: Label) -> None:
    assert all(isinstance(item, Noted) for item in label.others)
    assert len(set(label.others)) == len(label.others)
    assert label.document.set_id == label.root.find(f"{V3}setId").attrib["root"]
    assert label.document.version.number == label.root.find(f"{V3}versionNumber").attrib["value"]
    assert label.document.products


def test_every_section_text_is_the_text_nodes_of_the_xml_in_their_order(label: Label) -> None:
    pieces = [own_text(section) for section in label.root.iter(f"{V3}section")]
    excerpts = ["".join(squeezed("".join(text.itertext())) for text in e.iter(f"{V3}text")) for e in label.root.iter(f"{V3}excerpt")]
    for section in label.text_sections():
        text = squeezed(section.text)
        if section.repeats or text not in pieces:
            assert is_made_of(text, excerpts) or is_made_of(text, pieces) or any(text in piece for piece in pieces), section.key
        assert section.text == section.text.strip()


def test_no_text_of_a_real_label_is_lost(label: Label) -> None:
    read = [squeezed(section.text) for section in label.text_sections()]
    body = label.root.find(f"{V3}component/{V3}structuredBody")
    for component in body:
        for section in component.findall(f"{V3}section"):
            assert any(own_text(section) in text for text in read)
    for excerpt in label.root.iter(f"{V3}excerpt"):
        for text in excerpt.iter(f"{V3}text"):
            assert any(squeezed("".join(text.itertext())) in found for found in read)


def test_every_table_stands_beside_its_section_and_in_its_text(label: Label) -> None:
    kept: set[str] = set()
    for section in label.text_sections():
        for table in section.tables:
            text = TableText(table).text
            assert text in squeezed(section.text)
            kept.add(text)
    outer = list(label.root.iter(f"{V3}table"))
    inner = {id(t) for o in outer for t in o.iter(f"{V3}table") if t is not o}
    assert {squeezed("".join(t.itertext())) for t in outer if id(t) not in inner} == kept


def test_substances_and_excipients_are_those_of_the_xml(label: Label) -> None:
    classes = Counter(
        (i.attrib["classCode"], " ".join("".join(i.find(f"{V3}ingredientSubstance/{V3}name").itertext()).split())) for i in label.root.iter(f"{V3}ingredient")
    )
    active = {name for code, name in classes if code.startswith("ACTI")}
    substances = label.document.section("openfda.substance_name")
    excipients = label.document.section("spl.inactive_ingredient")
    assert substances is not None
    assert excipients is not None
    assert set(substances.text.split("\n")) == active == {s.name for p in label.document.products for s in p.substances}
    assert set(excipients.text.split("\n")) == {name for code, name in classes if code == "IACT"}


def test_the_chapters_a_proposer_reads_are_there(label: Label) -> None:
    keys = {section.key for section in label.document.sections}
    assert {"indications_and_usage", "dosage_and_administration"} <= keys or label.document.set_id.startswith("98b7e6bf")
    assert keys & {"contraindications", "do_not_use"}
    assert keys & {"warnings", "warnings_and_cautions"}


def test_a_dose_coded_as_a_boxed_warning_is_no_warning(shared: Path) -> None:
    haloperidol = Label(shared / "data" / "labels" / "spl" / "haloperidol_2010.xml").document
    boxed, dosage = haloperidol.section("boxed_warning"), haloperidol.section("dosage_and_administration")
    assert boxed is not None
    assert dosage is not None
    assert "b.i.d." not in boxed.text
    assert "3 mg to 5 mg b.i.d. or t.i.d." in dosage.text
    assert boxed.text.startswith("WARNING\n\nIncreased Mortality")
