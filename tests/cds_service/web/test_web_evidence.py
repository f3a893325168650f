"""The evidence page: what it shows of a finding, a gap and a check that did not run, and what it never shows."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from flask import Flask
from flask.testing import FlaskClient
from lxml import html

from cds_service.answer.evidence_links import EvidenceLinks
from cds_service.audit.outcomes import AuditResult, Category, Counterpart, DrugRef, PathStep
from cds_service.errors import ReplayImpossible, StateBroken, TraceMissing, TraceUnreadable
from cds_service.state.protocol import Verdict
from cds_service.web import Replay, blueprint
from ontology.model.claims import ClaimStatus
from ontology.model.errors import ReleaseDamaged

NOW = datetime.now(UTC)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def page_of(client: FlaskClient, links: EvidenceLinks, card: str) -> html.HtmlElement:
    answer = client.get(f"/evidence/{links.token('t-1', card, NOW)}")
    assert answer.status_code == 200, answer.text
    return html.document_fromstring(answer.text)


def words(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def test_the_problem_is_said_in_a_sentence(client, links) -> None:
    assert words(page_of(client, links, "c1").find(".//h1")) == "Ibuprofen with warfarin: the label says to avoid it."


def test_the_sentence_is_marked_in_its_section_and_the_section_is_whole(client, links, shelf) -> None:
    page = page_of(client, links, "c1")
    section = page.xpath("//*[@role='region']")[0]
    assert section.text_content() == shelf.sections["warfarin-label", "1", "drug_interactions"].text
    mark = page.get_element_by_id("quote")
    assert mark.tag == "mark"
    assert mark.text_content() == "NSAIDs raise the risk of bleeding; avoid them with warfarin <b>tablets</b> & gels."
    assert section.get("tabindex") == "0"


def test_each_quote_names_label_version_date_and_approval(client, links) -> None:
    first, second = page_of(client, links, "c1").xpath("//figure")
    assert "Warfarin sodium tablets" in words(first)
    assert "Version 1, label date 2026-10-01" in words(first)
    assert "Approved by rule policy:default@1; not yet read by a person." in words(first)
    assert "Unversioned, label date unknown" in words(second)


def test_a_chinese_quote_carries_its_language(client, links) -> None:
    quote = page_of(client, links, "c1").xpath("//blockquote")[1]
    assert quote.get("lang") == "zh"


def test_only_a_web_address_becomes_a_link_to_the_source(client, links) -> None:
    page = page_of(client, links, "c1")
    assert [a.get("href") for a in page.xpath("//figcaption//a")] == ["https://labels.example/warfarin"]
    assert "javascript:" not in html.tostring(page, encoding="unicode")


def test_the_path_is_a_picture_with_words_and_the_same_as_a_list(client, links) -> None:
    page = page_of(client, links, "c1")
    picture = page.xpath("//svg[@role='img']")[0]
    assert words(picture.find("desc")) == "warfarin interacts with NSAIDs; ibuprofen belongs to NSAIDs."
    hops = [words(li) for li in page.xpath("//ol[@class='hops']/li")]
    assert hops[0].startswith("warfarin interacts with NSAIDs claim c")
    assert hops[1] == "ibuprofen belongs to NSAIDs"


def test_patient_data_are_kinds_and_dates_only(client, links) -> None:
    text = page_of(client, links, "c1").text_content()
    assert "2026-09-02" in text
    assert "undated" in text
    for secret in ("secret-7", "Patient/p1", "1950-01-01"):
        assert secret not in text


def test_the_words_of_the_record_stay_out_of_the_page(links, replay, finding, gap, card_of) -> None:
    allergy = replace(
        finding,
        category=Category.ALLERGY,
        other=Counterpart("allergen", "SECRET-ALLERGEN", "penicillins"),
        qualifiers=("recorded reaction: SECRET-REACTION", "the entry is not confirmed"),
    )
    condition = replace(
        finding,
        category=Category.CONTRAINDICATION,
        drug=DrugRef("spironolactone", None, ("MedicationRequest/d9",)),
        other=Counterpart("condition", "SECRET-CONDITION"),
        path=(PathStep("spironolactone", "contraindicated", "hyperkalemia", "c1"), PathStep("patient's record", "says", "SECRET-WORDS")),
    )
    broader = replace(gap, question="warfarin is restricted in bleeding; the record says “SECRET-GAP”, which is less specific")
    results = (allergy, condition, broader)
    asked = replace(replay, result=AuditResult(results), cards=[card_of("c9", *results)])
    app = Flask("pages")
    app.register_blueprint(blueprint(links=links, recall=lambda _: asked))
    page = page_of(app.test_client(), links, "c9")
    assert "SECRET" not in html.tostring(page, encoding="unicode")
    sentences = [words(h).partition(" ")[2] for h in page.xpath("//article/h2")]
    assert sentences[0] == "Ibuprofen and an allergy to penicillins: the label says to avoid it."
    assert sentences[1].startswith("Spironolactone in a recorded condition: ")
    assert sentences[2] == "Warfarin is restricted in bleeding; the record's entry is less specific."
    assert "patient's record matches hyperkalemia" in [words(li) for li in page.xpath("//ol[@class='hops']/li")]
    assert "The entry is not confirmed." in page.text_content()


def test_what_was_not_retrieved_is_said(client, links) -> None:
    rows = {words(tr[0]): words(tr[1]) for tr in page_of(client, links, "c1").xpath("//section[@aria-labelledby='carried']//tbody/tr")}
    assert rows["Laboratory values and vital signs"] == "not retrieved"
    assert rows["Problems and diagnoses"] == "incomplete"
    assert rows["Allergies and intolerances"] == "searched, nothing found"


def test_steps_of_this_card_come_before_the_others(client, links) -> None:
    page = page_of(client, links, "c1")
    section = page.xpath("//section[@aria-labelledby='steps']")[0]
    near = [words(li) for li in section.xpath("./ol/li")]
    assert near == ["Plan 5 checks for ibuprofen", "Select label warfarin-label version 1 judges warfarin: newest of two"]
    assert [words(li) for li in section.xpath(".//details//li")] == ["Plan 5 checks for warfarin"]


def test_a_gap_says_what_is_missing_and_how_to_supply_it(client, links) -> None:
    page = page_of(client, links, "c2")
    assert words(page.find(".//h1")) == "Is a bleeding ulcer on the problem list? It would contraindicate warfarin."
    needs = [words(dt) for dt in page.xpath("//dl[@class='needs']//dt")]
    assert needs == ["Problems and diagnoses", "Laboratory value: potassium"]
    assert "prefetch key “conditions”" in words(page.xpath("//dl[@class='needs']//dd")[0])


def test_a_check_that_did_not_run_says_why(client, links) -> None:
    page = page_of(client, links, "c3")
    assert words(page.find(".//h1")) == "Zorbamycin: The drug could not be identified from its code or name."
    assert "No drug has this name." in page.text_content()


def test_a_card_of_several_problems_shows_each(client, links) -> None:
    page = page_of(client, links, "c4")
    assert len(page.xpath("//article")) == 2
    anchors = [m.get("id") for m in page.xpath("//mark[@id]")]
    assert anchors == ["quote", "quote-2", "quote-3"]


def test_conflicting_labels_are_both_quoted(app, client, links, shelf, finding, replay) -> None:
    other = shelf.add_claim("ibuprofen-zh", "unversioned:abc", "出血风险增加", status=ClaimStatus.CONFLICTED, note="x")
    mine = shelf.claims[finding.rules[0]]
    shelf.claims[mine.id] = replace(mine, status=ClaimStatus.CONFLICTED, reason=f"stricter than {other.id}")
    page = page_of(client, links, "c1")
    assert "出血风险增加" in [words(q) for q in page.xpath("//blockquote")]
    assert "Labels differ: stricter than another claim. Both statements are quoted here" in page.text_content()


def test_a_quote_that_does_not_stand_is_said_and_not_marked(client, links, shelf) -> None:
    key = ("warfarin-label", "1", "drug_interactions")
    shelf.sections[key] = replace(shelf.sections[key], text="x" + shelf.sections[key].text)
    page = page_of(client, links, "c1")
    assert "do not rely on the quote" in page.text_content()
    assert not page.xpath("//mark[contains(., 'NSAIDs')]")


def test_the_verdict_of_the_recheck_is_shown(links, replay) -> None:
    checked = replace(replay, recheck=Verdict("t-1", NOW, True, "All 2 quotes stand at their offsets."))
    app = Flask("pages")
    app.register_blueprint(blueprint(links=links, recall=lambda _: checked))
    assert "All 2 quotes stand at their offsets." in page_of(app.test_client(), links, "c1").text_content()


def test_reading_goes_through_the_recall_that_logs(client, links, reads) -> None:
    page_of(client, links, "c1")
    assert reads == ["t-1"]


def test_a_refused_link_reads_no_trace(client, links, reads) -> None:
    client.get(f"/evidence/{links.token('t-1', 'c1', NOW - timedelta(days=60))}")
    client.get("/evidence/nonsense")
    assert reads == []


@pytest.mark.parametrize(
    ("token", "status", "heading"),
    [
        (lambda links: links.token("t-1", "c1", NOW - timedelta(days=31)), 410, "This link has expired"),
        (lambda _: EvidenceLinks(b"z" * 32, "http://localhost").token("t-1", "c1", NOW), 404, "This link was not made by this service"),
        (lambda _: "not-a-token", 400, "This is not a whole link"),
        (lambda links: links.token("t-1", "no-such-card", NOW), 410, "This card is no longer given"),
    ],
)
def test_a_link_that_opens_nothing_says_why(client, links, token, status, heading) -> None:
    answer = client.get(f"/evidence/{token(links)}")
    assert (answer.status_code, words(html.document_fromstring(answer.text).find(".//h1"))) == (status, heading)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (TraceMissing("no trace t-1"), 410),
        (TraceUnreadable("the key differs"), 410),
        (ReplayImpossible("trace t-1 was answered with the release rel-old"), 410),
        (StateBroken("the disk is full"), 503),
        (ReleaseDamaged("release.sqlite is truncated"), 503),
    ],
)
def test_a_trace_that_cannot_be_replayed_gives_a_readable_page(links, error, status) -> None:
    def recall(_: str) -> Replay:
        raise error

    app = Flask("pages")
    app.register_blueprint(blueprint(links=links, recall=recall))
    answer = app.test_client().get(f"/evidence/{links.token('t-1', 'c1', NOW)}")
    assert answer.status_code == status
    assert str(error)[1:] in answer.text


def test_pages_are_sealed(client, links) -> None:
    answer = client.get(f"/evidence/{links.token('t-1', 'c1', NOW)}")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "unsafe" not in policy
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_page_needs_nothing_from_elsewhere_and_no_script(client, links) -> None:
    page = page_of(client, links, "c4")
    assert not page.xpath("//script")
    assert not re.search(r"\sstyle=|\son\w+=", html.tostring(page, encoding="unicode"))
    loaded = [e.get("href") or e.get("src") for e in page.xpath("//link | //img | //iframe | //object")]
    assert loaded == ["/web/icon.svg", "/web/pharmgraph.css"]
    assert all(client.get(address).status_code == 200 for address in loaded)


def test_headings_do_not_skip_a_level(client, links) -> None:
    levels = [int(h.tag[1]) for h in page_of(client, links, "c4").iter("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
