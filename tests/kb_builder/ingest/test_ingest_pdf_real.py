"""The real PDF labels, held against a reading by PDFium, which shares no code with the converter."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pypdfium2
import pytest

from kb_builder.ingest.pdf import PdfReader
from kb_builder.ingest.pdf_convert import convert_pdf
from kb_builder.ingest.pdf_paged import PagedText
from kb_builder.ingest.reader import Refused
from kb_builder.ingest.sources import DiskFile
from ontology.text.document import Document, page_at
from ontology.text.offsets import fold
from ontology.text.tables import survey_tables

pytestmark = pytest.mark.shared

FILES = ("fda_lisinopril_highlights_2025", "fda_metformin_highlights_2026")
NUMBERED = {
    1: "indications_and_usage",
    2: "dosage_and_administration",
    3: "dosage_forms_and_strengths",
    4: "contraindications",
    5: "warnings_and_cautions",
    6: "adverse_reactions",
    7: "drug_interactions",
    8: "use_in_specific_populations",
    10: "overdosage",
    11: "description",
    12: "clinical_pharmacology",
    13: "nonclinical_toxicology",
    14: "clinical_studies",
    16: "how_supplied",
    17: "information_for_patients",
}


class Label(NamedTuple):
    """A label: the converted text, the document, and PDFium's words by page."""

    paged: PagedText
    document: Document
    refused: tuple[Refused, ...]
    words: tuple[tuple[str, ...], ...]
    printed: tuple[str, ...]


def words_of(text: str) -> tuple[str, ...]:
    """Runs of letters and runs of digits; marks of raised text and of tables left out."""
    plain = re.sub(r"<br>|</?(?:table|tr|th|td)\b[^<>]*>|\^", " ", unicodedata.normalize("NFKC", text))
    return tuple(re.findall(r"[A-Za-z]+|\d+", plain))


def visible(page: pypdfium2.PdfPage) -> str:
    """The page's text without the line that its white background cuts off, which the next page shows whole."""
    background = next((o.get_bounds() for o in page.get_objects(max_depth=1) if o.type == pypdfium2.raw.FPDF_PAGEOBJ_PATH), None)
    assert background is not None
    _, bottom, _, top = background
    text = page.get_textpage()
    shown = ""
    for n in range(text.count_chars()):
        char = text.get_text_range(n, 1)
        _, low, _, high = text.get_charbox(n)
        if not char.strip() or bottom <= (low + high) / 2 <= top:
            shown += char
    return shown


@pytest.fixture(scope="module", params=FILES)
def label(shared: Path, request: pytest.FixtureRequest) -> Label:
    file = shared / "data/labels/pdf" / f"{request.param}.pdf"
    data = file.read_bytes()
    items = list(PdfReader().read(DiskFile(file)))
    document = items[0]
    assert isinstance(document, Document)
    refused = tuple(item for item in items if isinstance(item, Refused))
    pages = pypdfium2.PdfDocument(data)
    texts = tuple(page.get_textpage().get_text_range() for page in pages)
    return Label(convert_pdf(data), document, refused, tuple(words_of(text) for text in texts), tuple(visible(page) for page in pages))


def own_words(label: Label) -> list[tuple[str, ...]]:
    """The words of the canonical text, page by page."""
    starts = [*label.paged.pages, (len(label.paged.text), 0)]
    parts = {number: label.paged.text[begin:end] for (begin, number), (end, _) in pairwise(starts)}
    return [words_of(parts.get(number, "")) for number in range(1, len(label.words) + 1)]


def missing(theirs: Sequence[str], ours: Sequence[str]) -> Counter[str]:
    return Counter(theirs) - Counter(ours)


def test_the_text_holds_the_words_of_every_page_on_that_page(label: Label) -> None:
    lost = {n: missing(a, b) for n, (a, b) in enumerate(zip(label.words, own_words(label), strict=True), 1)}
    share = 1 - sum(map(Counter.total, lost.values())) / sum(map(len, label.words))
    print(f"{share:.2%} of {sum(map(len, label.words))} words on their page; missing there:", {n: dict(c) for n, c in lost.items() if c})
    assert share >= 0.99


def test_no_word_is_made_up(label: Label) -> None:
    ours = [word for page in own_words(label) for word in page]
    made = missing([w for w in ours if len(w) > 4], [w for page in label.words for w in page])
    print("words that PDFium does not give:", dict(made))
    assert made.total() <= 3


def test_the_words_stand_in_the_order_of_the_page(label: Label) -> None:
    theirs, ours = label.words, own_words(label)
    kept = sum(sum(m.size for m in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()) for a, b in zip(theirs, ours, strict=True))
    share = kept / sum(map(len, theirs))
    print(f"{share:.2%} of the words in order; the rest are raised numbers and cells of several lines, which PDFium gives in another order")
    assert share >= 0.965


def test_every_word_that_the_page_shows_is_kept(label: Label) -> None:
    whole = Counter(words_of(label.paged.text))
    shown = Counter(word for page in label.printed for word in words_of(page))
    lost = {word: n for word, n in (shown - whole).items() if len(word) > 3}
    print("shown and not kept:", lost)
    assert len(shown) > 1000
    assert not lost


def test_every_numbered_section_is_found(label: Label) -> None:
    for number, key in NUMBERED.items():
        section = label.document.section(key)
        assert section is not None, key
        assert section.title.startswith(f"{number} ")


def test_every_section_stands_in_the_text_and_knows_its_pages(label: Label) -> None:
    for section in label.document.sections:
        assert section.text in label.paged.text
        begin = label.paged.text.index(section.text)
        for place in (0, len(section.text) // 2, max(len(section.text) - 1, 0)):
            assert page_at(section.pages, place) in {page_at(label.paged.pages, b + place) for b in places(label.paged.text, section.text, begin)}


def places(text: str, part: str, begin: int) -> list[int]:
    found = [begin]
    while (begin := text.find(part, begin + 1)) >= 0:
        found.append(begin)
    return found


def test_a_section_begins_on_the_page_that_prints_its_heading(label: Label) -> None:
    full = next(n for n, words in enumerate(label.words, 1) if _holds(words, words_of("FULL PRESCRIBING INFORMATION")) and not _holds(words, ("CONTENTS",)))
    for key in NUMBERED.values():
        section = label.document.section(key)
        assert section is not None
        title = words_of(section.title)
        printed = [n for n, words in enumerate(label.words, 1) if n >= full - 1 and _holds(words, title)]
        first = page_at(section.pages, len(section.text) - len(section.text.lstrip()))
        assert first in printed or (first is not None and first - 1 in printed), key


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(tuple(words[n : n + len(part)]) == tuple(part) for n in range(len(words)))


def test_every_cell_of_every_table_stands_in_its_section(label: Label) -> None:
    for section in label.document.sections:
        if section.tables:
            survey = survey_tables(fold(section.text).text, section.tables)
            assert not survey.unplaced, section.key
            assert len(survey.placed) == len(section.tables)


def test_nothing_of_the_labels_is_refused(label: Label) -> None:
    assert not label.refused


def test_sentences_that_matter_are_whole(shared: Path) -> None:
    text = convert_pdf((shared / f"data/labels/pdf/{FILES[1]}.pdf").read_bytes()).text
    assert "with an eGFR between 30 to 45 mL/minute/1.73 m² is not recommended." in text
    assert "secretagogue (e.g., sulfonylurea) or insulin may increase the risk of hypoglycemia." in text
    assert "| Diarrhea | 53% | 12% |" in text
