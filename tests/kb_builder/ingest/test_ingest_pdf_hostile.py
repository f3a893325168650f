"""Odd and hostile PDFs: refused or read with a reason, within bounds, and never at the cost of other files."""

from __future__ import annotations

import io
import time
import zlib
from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from kb_builder.ingest.pdf_child import convert_here
from kb_builder.ingest.pdf_convert import convert_pdf
from kb_builder.ingest.pdf_paged import NoText
from kb_builder.ingest.reader import Refused
from kb_builder.ingest.registry import read_sources
from ontology.text.document import Document

FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
WORDS = b"BT /F1 12 Tf 72 700 Td (Do not use in patients.) Tj ET"
CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"


def pdf(*objects: bytes) -> bytes:
    """A PDF of these objects, numbered from 1; the first is the catalog."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(b"%010d 00000 n \n" % at for at in places)
    return bytes(out + b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table))


def stream(data: bytes, extra: bytes = b"") -> bytes:
    return b"<</Length %d%b>>stream\n%b\nendstream" % (len(data), extra, data)


def page(content: bytes, *more: bytes, box: bytes = b"[0 0 612 792]", resources: bytes = b"", catalog: bytes = CATALOG) -> bytes:
    """A PDF of one page; further objects are numbered from 6."""
    body = b"<</Type/Page/Parent 2 0 R/MediaBox %b/Resources<</Font<</F1 4 0 R/F2 7 0 R>>%b>>/Contents 5 0 R>>" % (box, resources)
    return pdf(catalog, b"<</Type/Pages/Kids[3 0 R]/Count 1>>", body, FONT, content, *more)


def canvas_of(pages: int, **options: object) -> bytes:
    data = io.BytesIO()
    canvas = Canvas(data, **options)  # type: ignore[arg-type]
    for number in range(1, pages + 1):
        canvas.drawString(72, 700, f"Words of page {number}.")
        canvas.showPage()
    canvas.save()
    return data.getvalue()


def with_pictures(*pictured: bool) -> bytes:
    """Pages that hold either a picture of text or text."""
    data, picture = io.BytesIO(), ImageReader(Image.new("RGB", (60, 80), "white"))
    canvas = Canvas(data)
    for number, only in enumerate(pictured, 1):
        if only:
            canvas.drawImage(picture, 0, 0, 600, 800)
        else:
            canvas.drawString(72, 700, f"Words of page {number}.")
        canvas.showPage()
    canvas.save()
    return data.getvalue()


def refusal(data: bytes) -> str:
    with pytest.raises(NoText) as refused:
        convert_here(data)
    return str(refused.value)


def test_what_is_no_pdf_is_refused_without_a_converter() -> None:
    with pytest.raises(NoText, match="not a PDF"):
        convert_pdf(b"<html>")


def test_an_encrypted_file_is_refused_and_one_that_only_forbids_copying_is_read() -> None:
    assert "opens with a password only" in refusal(canvas_of(1, encrypt=StandardEncryption("secret")))
    assert convert_here(canvas_of(1, encrypt=StandardEncryption("", ownerPassword="o", canCopy=0))).text == "Words of page 1.\n"


def test_a_scan_is_refused_and_says_what_to_do() -> None:
    assert refusal(with_pictures(True, True)) == "no text layer; run OCR first"


def test_a_page_without_a_text_layer_is_told() -> None:
    paged = convert_here(with_pictures(False, True, False))
    assert [told.reason for told in paged.notes] == ["no text layer on page 2: an image that was not read; run OCR first"]
    assert paged.pages == ((0, 1), (paged.text.index("Words of page 3"), 3))


def test_a_damaged_table_of_objects_is_mended() -> None:
    assert convert_here(page(stream(WORDS)).replace(b"startxref\n", b"startxref\n99")).text == "Do not use in patients.\n"


def test_a_file_that_breaks_off_is_refused() -> None:
    assert "not a readable PDF" in refusal(page(stream(WORDS))[:250])


def test_noise_and_an_empty_file_are_refused() -> None:
    assert "not a readable PDF" in refusal(b"%PDF-1.7\n" + bytes(range(256)) * 50)
    assert "not a readable PDF" in refusal(b"%PDF-1.7\n")


def test_a_damaged_page_costs_only_itself() -> None:
    pages = b"<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>"
    whole = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 4 0 R>>>>/Contents 5 0 R>>"
    broken = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Rotate(left)/Contents 5 0 R>>"
    paged = convert_here(pdf(CATALOG, pages, whole, FONT, stream(WORDS), broken))
    assert paged.text == "Do not use in patients.\n"
    assert [told.lost for told in paged.notes] == [True]
    assert "page 2 could not be read" in paged.notes[0].reason


def test_a_page_tree_that_holds_itself_ends() -> None:
    tree = pdf(CATALOG, b"<</Type/Pages/Kids[3 0 R 2 0 R]/Count 2>>", b"<</Type/Pages/Parent 2 0 R/Kids[2 0 R 3 0 R]/Count 2>>")
    assert "no pages" in refusal(tree)


def test_a_page_tree_of_thousands_of_levels_is_refused() -> None:
    levels = [b"<</Type/Pages/Kids[%d 0 R]/Count 1>>" % (n + 1) for n in range(2, 5000)]
    assert "not a readable PDF" in refusal(pdf(CATALOG, *levels, b"<</Type/Page/MediaBox[0 0 9 9]>>"))


def test_a_form_that_draws_itself_ends() -> None:
    form = stream(b"/X Do /X Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>")
    assert convert_here(page(stream(b"/X Do " + WORDS), form, resources=b"/XObject<</X 6 0 R>>")).text == "Do not use in patients.\n"


def test_too_many_pages_are_refused() -> None:
    assert refusal(canvas_of(1001)) == "more than 1,000 pages; split the file"


def test_a_page_of_any_size_or_corner_is_read() -> None:
    assert convert_here(page(stream(WORDS), box=b"[0 0 90000000 90000000]")).text == "Do not use in patients.\n"
    assert convert_here(page(stream(WORDS), box=b"[612 792 0 0]")).text == "Do not use in patients.\n"
    assert convert_here(page(stream(WORDS), box=b"[-100 -100 512 792]")).text == "Do not use in patients.\n"


def test_scripts_and_embedded_files_are_not_looked_at() -> None:
    catalog = b"<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>/Names<</EmbeddedFiles<</Names[(a.exe)6 0 R]>>>>>>"
    assert convert_here(page(stream(WORDS), b"<</Type/Filespec/F(a.exe)>>", catalog=catalog)).text == "Do not use in patients.\n"


def test_a_font_without_a_map_to_characters_is_refused_with_the_share() -> None:
    cid = (
        b"<</Type/Font/Subtype/CIDFontType2/BaseFont/ABCDEF+Own/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500/FontDescriptor 8 0 R>>"
    )
    font = b"<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Own/Encoding/Identity-H/DescendantFonts[6 0 R]>>"
    shape = b"<</Type/FontDescriptor/FontName/ABCDEF+Own/Flags 4/Ascent 800/Descent -200/FontBBox[0 0 1000 1000]>>"
    secret = b"BT /F2 12 Tf 72 600 Td <000100020003> Tj ET"
    assert "100% of the characters have no character code" in refusal(page(stream(secret), cid, font, shape))
    mixed = convert_here(page(stream(WORDS + b" " + secret), cid, font, shape))
    assert "\ufffd\ufffd\ufffd" in mixed.text
    assert any("3 of 22 characters" in told.reason for told in mixed.notes)


@pytest.mark.slow
def test_a_stream_that_unpacks_to_gigabytes_is_refused_within_bounds() -> None:
    packer, block = zlib.compressobj(1), bytes(50_000_000)
    packed = b"".join(packer.compress(block) for _ in range(40)) + packer.flush()
    with pytest.raises(NoText, match=r"memory|allocate"):
        convert_pdf(page(stream(packed, b"/Filter/FlateDecode")))


def test_a_conversion_that_does_not_end_is_stopped() -> None:
    endless = page(stream(zlib.compress(b"q Q " * 5_000_000), b"/Filter/FlateDecode"))
    begin = time.monotonic()
    with pytest.raises(NoText, match="not read within 3 seconds"):
        convert_pdf(endless, seconds=3)
    assert time.monotonic() - begin < 20


def test_a_bad_file_never_stops_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\nnoise")
    (tmp_path / "b.pdf").write_bytes(with_pictures(True))
    data = io.BytesIO()
    canvas = Canvas(data)
    canvas.setFont("Helvetica-Bold", 12)
    canvas.drawString(72, 700, "4 CONTRAINDICATIONS")
    canvas.setFont("Helvetica", 12)
    canvas.drawString(72, 670, "Calmex is contraindicated in anuria.")
    canvas.save()
    (tmp_path / "c.pdf").write_bytes(data.getvalue())
    items = [item for _, item in read_sources((tmp_path,))]
    assert [Path(item.source).name for item in items if isinstance(item, Refused)] == ["a.pdf", "b.pdf"]
    assert [item.kind for item in items if isinstance(item, Document)] == ["pdf"]


def test_a_text_that_is_no_label_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.pdf").write_bytes(canvas_of(1))
    assert [type(item) for _, item in read_sources((tmp_path,))] == [Refused]
