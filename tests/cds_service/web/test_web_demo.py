"""The demo page: the chart says what is not known, typed and ticked orders are signed, cards are shown inert, and buttons do what they say."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from lxml import html

from cds_service.errors import DemoUnusable
from cds_service.intake.request import read_request
from cds_service.web import DemoPort, Reply, blueprint
from cds_service.web.demo_chart import chart
from cds_service.web.demo_exchange import apply_actions
from cds_service.web.demo_patients import read_patients
from cds_service.web.held import Held, HeldPages
from ontology.terms.terminology import Terminology

HOSTILE = "<img src=x onerror=alert(1)>"
SUGGESTION = {
    "label": "Cancel ibuprofen",
    "uuid": "sug-1",
    "isRecommended": True,
    "actions": [{"type": "delete", "description": "Cancel", "resourceId": "MedicationRequest/d1"}],
}
CARD = {
    "uuid": "card-1",
    "summary": f"Ibuprofen with {HOSTILE}",
    "indicator": "critical",
    "detail": f"The label says:\n\n> avoid {HOSTILE}\n\n> 应避免与抗凝药合用。\n\n[bad](javascript:alert(1)) ![x](https://evil.example/x.png)",
    "source": {"label": "PharmGraph", "topic": {"code": "interaction", "system": "s", "display": "Interaction"}},
    "suggestions": [SUGGESTION],
    "selectionBehavior": "at-most-one",
    "overrideReasons": [
        {"code": "will-monitor", "system": "s", "display": "Will monitor"},
        {"code": "tolerated", "system": "s", "display": "Tolerated before"},
    ],
    "links": [
        {"label": "Evidence", "url": "https://cds.example/evidence/abc#quote", "type": "absolute"},
        {"label": "No", "url": "javascript:alert(1)", "type": "absolute"},
    ],
}


def order(order_id: str, text: str) -> dict[str, Any]:
    return {
        "resourceType": "MedicationRequest",
        "id": order_id,
        "status": "draft",
        "intent": "order",
        "medicationCodeableConcept": {"text": text},
        "subject": {"reference": "Patient/p1"},
        "authoredOn": "2026-01-10",
        "reasonCode": [{"text": "Knee pain, the reason of the order"}],
        "dosageInstruction": [{"text": "Take 1 tablet", "doseAndRate": [{"doseQuantity": {"value": 2.50, "unit": "mg"}}]}],
    }


def record() -> dict[str, Any]:
    stopped = {**order("m1", "phenelzine 15 mg tablet"), "status": "stopped", "authoredOn": "2026-01-04"}
    condition = {"resourceType": "Condition", "id": "c1", "code": {"text": "Depression"}, "subject": {"reference": "Patient/p1"}, "onsetDateTime": "2026-01-01"}
    return {
        "id": "p-one",
        "title": "A patient with a story",
        "story": "Sign it.",
        "as_of": "2026-01-10",
        "patient": {"resourceType": "Patient", "id": "p1", "birthDate": "1980-01-10", "gender": "female"},
        "prefetch": {
            "medications": {"resourceType": "Bundle", "type": "searchset", "entry": [{"resource": stopped}]},
            "conditions": {"resourceType": "Bundle", "type": "searchset", "entry": [{"resource": condition}]},
            "allergies": {"resourceType": "OperationOutcome", "issue": [{"severity": "error", "code": "timeout"}]},
            "notes": None,
        },
        "orders": [order("d1", "ibuprofen 400 mg tablet"), order("d2", "citalopram 20 mg tablet")],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.json").write_text(json.dumps(record()), encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def terms() -> Terminology:
    return Terminology.shipped()


class Service:
    """Remembers what was sent, and answers with one card."""

    def __init__(self) -> None:
        self.signed: list[dict[str, Any]] = []
        self.reported: list[dict[str, Any]] = []
        self.reply = Reply(200, json.dumps({"cards": [CARD]}).encode())

    def sign(self, raw: bytes) -> Reply:
        self.signed.append(json.loads(raw))
        return self.reply

    def feedback(self, raw: bytes) -> Reply:
        self.reported.append(json.loads(raw)["feedback"][0])
        return Reply(200, b"{}")

    @property
    def drafts(self) -> list[dict[str, Any]]:
        return [e["resource"] for e in self.signed[-1]["context"]["draftOrders"]["entry"]]


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def client(folder: Path, service: Service, terms: Terminology, links) -> FlaskClient:
    def read(body: Any) -> Any:
        return read_request(body, terms, received=datetime.now(UTC), use_request_time=False)

    app = Flask("demo")
    port = DemoPort(folder, b"k" * 32, read, service.sign, service.feedback, "rel-1")
    app.register_blueprint(blueprint(links=links, recall=lambda _: None, demo=port))
    return app.test_client()


def page(answer: Any) -> html.HtmlElement:
    return html.document_fromstring(answer.text)


def words(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def sign(client: FlaskClient, **form: Any) -> html.HtmlElement:
    answer = client.post("/demo/p-one/sign", data={"act": "sign", **form})
    assert answer.status_code == 200, answer.text
    return page(answer)


def press(client: FlaskClient, shown: html.HtmlElement, act: str, **form: str) -> html.HtmlElement:
    held = shown.xpath("//input[@name='held']/@value")[0]
    answer = client.post("/demo/p-one/cards", data={"held": held, "act": act, **form})
    assert answer.status_code == 200, answer.text
    return page(answer)


def test_every_page_says_that_patients_are_synthetic(client) -> None:
    for address in ("/demo", "/demo/p-one"):
        assert "Synthetic patients. Not for clinical use." in client.get(address).text


def test_the_chart_says_what_is_not_known(client) -> None:
    blocks = {words(b.find("h3")): words(b) for b in page(client.get("/demo/p-one")).xpath("//div[@class='block']")}
    assert "Incomplete" in blocks["Allergies and intolerances"]
    assert "Not retrieved" in blocks["Laboratory values and vital signs"]
    assert "Searched, nothing found" in blocks["Notes"]
    assert "Depression" in blocks["Problems and diagnoses"]
    assert "Knee pain" not in blocks["Problems and diagnoses"]
    assert "stopped" in blocks["Medications"]


def test_a_kind_of_data_that_nobody_names_is_not_retrieved(replay) -> None:
    states = {block.title: block.state for block in chart(replay.prescription)}
    assert states["Notes"] == "not retrieved"


def test_dates_move_with_the_calendar(folder) -> None:
    moved = read_patients(folder)[0].on(date(2027, 1, 12))
    assert moved.patient["birthDate"] == "1981-01-11"
    assert moved.prefetch["medications"]["entry"][0]["resource"]["authoredOn"] == "2027-01-06"
    assert moved.orders[0]["authoredOn"] == "2027-01-12"


def test_ticked_orders_are_signed_with_the_record(client, service) -> None:
    sign(client, order=["d2"])
    request = service.signed[-1]
    assert [d["id"] for d in service.drafts] == ["d2"]
    assert request["hook"] == "order-sign"
    assert request["context"]["patientId"] == "p1"
    assert set(request["prefetch"]) == {"patient", "medications", "conditions", "allergies", "notes"}
    assert request["prefetch"]["notes"] is None


def test_numbers_stay_as_the_file_writes_them(client, service) -> None:
    shown = sign(client, order=["d2"])
    assert '"value": 2.5' in shown.xpath("//pre")[0].text_content()


def test_a_typed_order_becomes_a_resource(client, service) -> None:
    sign(client, drug="warfarin", dose="2.50", unit="mg", frequency="once a week", route="oral", as_needed="yes")
    instruction = service.drafts[-1]["dosageInstruction"][0]
    assert service.drafts[-1]["medicationCodeableConcept"] == {"text": "warfarin"}
    assert instruction["doseAndRate"][0]["doseQuantity"]["value"] == 2.5
    assert instruction["timing"]["repeat"] == {"frequency": 1, "period": 1, "periodUnit": "wk"}
    assert instruction["asNeededBoolean"] is True


def test_what_was_not_typed_is_not_in_the_resource(client, service) -> None:
    sign(client, drug="warfarin", frequency="", route="")
    assert "dosageInstruction" not in service.drafts[-1]


def test_a_typed_order_can_be_added_before_signing(client, service) -> None:
    added = page(client.post("/demo/p-one/sign", data={"act": "add", "order": "d1", "drug": "aspirin", "dose": "100"}))
    assert not service.signed
    box = added.xpath("//input[@name='own']")[0]
    sign(client, order=["d1"], own=[box.get("value")])
    assert [d["medicationCodeableConcept"]["text"] for d in service.drafts] == ["ibuprofen 400 mg tablet", "aspirin"]


@pytest.mark.parametrize(
    ("form", "name"),
    [({"drug": "aspirin", "dose": "a lot"}, "dose"), ({"dose": "5"}, "drug"), ({"drug": "x" * 300}, "drug"), ({"drug": "aspirin", "unit": "bushel"}, "unit")],
)
def test_a_typed_order_with_a_fault_is_not_signed_and_the_field_says_why(client, service, form, name) -> None:
    answer = client.post("/demo/p-one/sign", data={"act": "sign", **form})
    field = page(answer).get_element_by_id(name)
    assert answer.status_code == 400
    assert field.get("aria-invalid") == "true"
    assert page(answer).get_element_by_id(field.get("aria-describedby")).text_content()
    assert not service.signed


def test_signing_nothing_says_what_to_do(client, service) -> None:
    answer = client.post("/demo/p-one/sign", data={"act": "sign"})
    assert answer.status_code == 400
    assert "Tick or type at least one order" in answer.text
    assert not service.signed


def test_a_card_is_shown_and_nothing_in_it_runs(client) -> None:
    shown = sign(client, order=["d1"])
    card = shown.xpath("//article")[0]
    assert HOSTILE in words(card.xpath(".//h3")[0])
    assert HOSTILE in words(card.xpath(".//blockquote")[0])
    assert not shown.xpath("//img | //script | //@onerror")
    assert not [a for a in shown.xpath("//a/@href") if a.startswith("javascript")]


def test_a_chinese_quote_in_a_card_carries_its_language(client) -> None:
    quotes = sign(client, order=["d1"]).xpath("//article//blockquote/p")
    assert [q.get("lang") for q in quotes] == [None, "zh"]


def test_a_hostile_drug_name_is_inert_everywhere(client) -> None:
    answer = client.post("/demo/p-one/sign", data={"act": "sign", "drug": HOSTILE})
    assert "<img" not in answer.text


def test_overriding_needs_a_reason_and_reports_it(client, service) -> None:
    shown = sign(client, order=["d1"])
    assert "Choose a reason first" in press(client, shown, "override:card-1").text_content()
    assert not service.reported
    after = press(client, shown, "override:card-1", **{"reason:card-1": "1"})
    assert "Overridden: Tolerated before" in words(after.xpath("//article")[0])
    assert service.reported[-1]["outcome"] == "overridden"
    assert service.reported[-1]["overrideReason"]["reason"]["code"] == "tolerated"


def test_accepting_a_suggestion_changes_the_drafts_and_reports_it(client, service) -> None:
    after = press(client, sign(client, order=["d1", "d2"]), "accept:card-1:sug-1")
    assert after.xpath("//input[@name='order'][@checked]/@value") == ["d2"]
    assert "Accepted: Cancel ibuprofen" in words(after.xpath("//article")[0])
    assert service.reported[-1]["acceptedSuggestions"] == [{"id": "sug-1"}]


def test_what_a_page_holds_cannot_be_made_up(client, service) -> None:
    forged = HeldPages(b"z" * 32).pack(Held("p-one", "i", [], 200, json.dumps({"cards": [{**CARD, "summary": "made up"}]}), 1))
    answer = client.post("/demo/p-one/cards", data={"held": forged, "act": "override:card-1"})
    assert answer.status_code == 400
    assert "made up" not in answer.text
    assert not service.reported


def test_a_refused_request_is_shown_with_the_service_s_words(client, service) -> None:
    body = {"resourceType": "OperationOutcome", "issue": [{"severity": "error", "code": "required", "diagnostics": "the patient is missing"}]}
    service.reply = Reply(412, json.dumps(body).encode())
    shown = sign(client, order=["d1"])
    assert "Status 412" in shown.text_content()
    assert "the patient is missing" in shown.text_content()


def test_no_card_is_said_calmly(client, service) -> None:
    service.reply = Reply(200, b'{"cards": []}')
    assert "No card: nothing speaks against these orders" in sign(client, order=["d1"]).text_content()


@pytest.mark.parametrize("own", ["", "[]", "7", "{", "[" * 5000, '{"a":' * 400 + "1" + "}" * 400, '{"value": 1e9999999999999999999}', "{}"])
def test_a_posted_draft_of_any_shape_breaks_nothing(client, own) -> None:
    assert client.post("/demo/p-one/sign", data={"act": "add", "own": own, "drug": "aspirin"}).status_code == 200


def test_an_unknown_patient_is_a_readable_page(client) -> None:
    assert client.get("/demo/nobody").status_code == 404
    assert client.post("/demo/nobody/sign").status_code == 404


def test_every_field_has_a_label(client) -> None:
    shown = sign(client, order=["d1"])
    labelled = set(shown.xpath("//label/@for"))
    for field in shown.xpath("//input[not(@type='hidden')] | //select"):
        assert field.get("id") in labelled or field.xpath("ancestor::label"), html.tostring(field)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "cannot be read"),
        ("[]", "not a JSON object"),
        (json.dumps({**record(), "orders": [{}]}), "resource with an id"),
        (json.dumps({**record(), "as_of": "soon"}), "'soon' is not a date"),
        (json.dumps({k: v for k, v in record().items() if k != "story"}), "'story' is missing"),
        (json.dumps({**record(), "id": "a/b"}), "'a/b'"),
    ],
)
def test_a_patient_file_that_cannot_be_used_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "bad.json").write_text(text, encoding="utf-8")
    with pytest.raises(DemoUnusable, match=r"bad\.json") as refusal:
        read_patients(tmp_path)
    assert said in str(refusal.value)


def test_two_patients_with_one_id_are_refused(folder: Path) -> None:
    (folder / "two.json").write_text(json.dumps(record()), encoding="utf-8")
    with pytest.raises(DemoUnusable, match=r"two\.json"):
        read_patients(folder)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DemoUnusable, match=r"holds no \*\.json"):
        read_patients(tmp_path / "absent")


def test_the_shipped_patients_can_be_read(repository: Path) -> None:
    assert len(read_patients(repository / "fixtures" / "patients")) >= 8


def test_actions_of_a_suggestion_delete_create_and_update() -> None:
    drafts = [{"id": "a", "v": 1}, {"id": "b", "v": 1}]
    actions = [
        {"type": "update", "resource": {"id": "b", "v": 2}},
        {"type": "delete", "resourceId": "MedicationRequest/a"},
        {"type": "create", "resource": {"id": "c"}},
        "not an action",
    ]
    assert apply_actions(drafts, {"actions": actions}) == ({"id": "b", "v": 2}, {"id": "c"})


def test_no_demo_without_a_folder(links) -> None:
    app = Flask("plain")
    app.register_blueprint(blueprint(links=links, recall=lambda _: None))
    assert app.test_client().get("/demo").status_code == 404
