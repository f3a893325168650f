"""The demo page: choose a synthetic patient, tick or type draft orders, sign, and read the cards as an EHR shows them.

Nothing is kept on the server: a page carries its own drafts and, signed, the answer it shows.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.datastructures import MultiDict

from cds_service.errors import RequestRefused
from cds_service.intake.body import decode_body
from cds_service.intake.prescription import OrderRole, Prescription
from cds_service.web.demo_cards import Shown, cards_of, show
from cds_service.web.demo_chart import DraftLine, age_on, chart, draft_line
from cds_service.web.demo_exchange import accepted, apply_actions, order_sign, overridden, patient_id
from cds_service.web.demo_patients import DemoPatient, read_patients
from cds_service.web.exact_json import decode, encode
from cds_service.web.held import Held, HeldPages
from cds_service.web.ports import DemoPort, Reply
from cds_service.web.typed_order import TypedOrder, choices, read_typed, resource_of

CHANGED = "The draft orders changed. Sign again to audit what is left."
DRAFT_BYTES = 20_000
DRAFT_DEPTH = 30
"""What a posted draft may hold: more than any order needs."""


@dataclass(frozen=True, slots=True)
class Drafts:
    """The draft orders on a page: the patient's own, by id, which of them are ticked, and what was typed or changed."""

    ticked: frozenset[str]
    own: tuple[Mapping[str, Any], ...]

    def resources(self, patient: DemoPatient) -> tuple[Mapping[str, Any], ...]:
        """The resources to sign, in printed order."""
        return (*(o for o in patient.orders if o["id"] in self.ticked), *self.own)

    @classmethod
    def of(cls, resources: Sequence[Mapping[str, Any]], patient: DemoPatient) -> Drafts:
        """The drafts that these resources are: those the patient's file holds unchanged are ticked, the others are own."""
        known = {o["id"]: o for o in patient.orders}
        ticked = [r for r in resources if r == known.get(r.get("id"))]
        return cls(frozenset(str(r["id"]) for r in ticked), tuple(r for r in resources if r not in ticked))


def add_demo(pages: Blueprint, port: DemoPort) -> None:
    """Adds the demo's routes. Raises DemoUnusable when the folder of patients cannot be read."""
    patients = {patient.id: patient for patient in read_patients(port.folder)}
    held_pages = HeldPages(port.key)

    def find(name: str) -> DemoPatient | None:
        found = patients.get(name)
        return found.on(datetime.now(UTC).date()) if found else None

    @pages.get("/demo")
    def demo() -> str:
        return render_template("demo_index.html", patients=tuple(patients.values()), release_id=port.release_id)

    @pages.get("/demo/<name>")
    def demo_patient(name: str) -> Response:
        patient = find(name)
        return _unknown(name) if patient is None else _page(port, patient, Drafts(frozenset(), ()))

    @pages.post("/demo/<name>/sign")
    def demo_sign(name: str) -> Response:
        patient = find(name)
        if patient is None:
            return _unknown(name)
        typed = read_typed(request.form)
        drafts = _drafts(request.form)
        if typed.faults:
            return _page(port, patient, drafts, typed=typed, status=400)
        if not typed.blank:
            order_id = f"typed-{uuid.uuid4().hex[:8]}"
            drafts = replace(drafts, own=(*drafts.own, resource_of(typed, order_id, patient_id(patient), _today().isoformat())))
        if request.form.get("act") == "add":
            return _page(port, patient, drafts, note=None if typed.blank else "The order was added to the drafts.")
        resources = drafts.resources(patient)
        if not resources:
            return _page(port, patient, drafts, note="Tick or type at least one order, then sign.", status=400)
        instance = str(uuid.uuid4())
        before = time.perf_counter()
        reply = port.sign(order_sign(patient, resources, instance))
        spent = round((time.perf_counter() - before) * 1000)
        held = Held(patient.id, instance, resources, reply.status, reply.body.decode(errors="replace"), spent)
        return _page(port, patient, drafts, held=held, pages=held_pages)

    @pages.post("/demo/<name>/cards")
    def demo_cards(name: str) -> Response:
        patient = find(name)
        held = held_pages.unpack(request.form.get("held", ""))
        if patient is None or held is None or held.patient != name:
            return (
                _unknown(name) if patient is None else _page(port, patient, Drafts(frozenset(), ()), note="That page was out of date. Sign again.", status=400)
            )
        act, _, rest = request.form.get("act", "").partition(":")
        card = next((c for c in cards_of(held) if str(c.get("uuid")) == rest.partition(":")[0]), None)
        if card is None:
            return _page(port, patient, Drafts.of(held.drafts, patient), held=held, pages=held_pages, note="Nothing was chosen.", status=400)
        held, note = _accept(port, held, card, rest.partition(":")[2]) if act == "accept" else _override(port, held, card, request.form)
        return _page(port, patient, Drafts.of(held.drafts, patient), held=held, pages=held_pages, note=note)


def _accept(port: DemoPort, held: Held, card: Mapping[str, Any], code: str) -> tuple[Held, str]:
    suggestion = next((s for n, s in enumerate(card.get("suggestions", ())) if str(s.get("uuid", n)) == code), None)
    if suggestion is None:
        return held, "Nothing was chosen."
    reply = port.feedback(accepted(str(card["uuid"]), code))
    settled = {**held.settled, str(card["uuid"]): f"Accepted: {suggestion.get('label', '')}{_trouble(reply)}"}
    return replace(held, drafts=apply_actions(held.drafts, suggestion), settled=settled), CHANGED


def _override(port: DemoPort, held: Held, card: Mapping[str, Any], form: Mapping[str, str]) -> tuple[Held, str]:
    reasons = card.get("overrideReasons", ())
    chosen = form.get(f"reason:{card['uuid']}", "")
    reason = reasons[int(chosen)] if chosen.isdecimal() and int(chosen) < len(reasons) else None
    if reasons and reason is None:
        return held, "Choose a reason first, then override."
    reply = port.feedback(overridden(str(card["uuid"]), reason))
    words = f"Overridden: {reason.get('display') or reason.get('code')}" if reason else "Dismissed"
    return replace(held, settled={**held.settled, str(card["uuid"]): words + _trouble(reply)}), f"{words}. The feedback was sent."


def _trouble(reply: Reply) -> str:
    return "" if reply.status == 200 else f" (the feedback was refused with status {reply.status})"


def _drafts(form: MultiDict[str, str]) -> Drafts:
    own: list[dict[str, Any]] = []
    for text in form.getlist("own"):
        try:
            own.append(decode_body(text.encode(), max_bytes=DRAFT_BYTES, max_depth=DRAFT_DEPTH))
        except RequestRefused:
            continue
    return Drafts(frozenset(form.getlist("order")), tuple(own))


def _page(
    port: DemoPort,
    patient: DemoPatient,
    drafts: Drafts,
    *,
    typed: TypedOrder | None = None,
    held: Held | None = None,
    pages: HeldPages | None = None,
    note: str | None = None,
    status: int = 200,
) -> Response:
    every = (*patient.orders, *drafts.own)
    read = port.read(decode(order_sign(patient, every, str(uuid.uuid4()))))
    lines = _lines(read, every)
    shown: Shown | None = show(held, order_sign(patient, held.drafts, held.instance)) if held else None
    return make_response(
        render_template(
            "demo_patient.html",
            patient=patient,
            age=age_on(read.patient.birth_date, _today()),
            sex=read.patient.sex,
            blocks=chart(read),
            issues=read.issues,
            orders=lines[: len(patient.orders)],
            own=lines[len(patient.orders) :],
            drafts=drafts,
            typed=typed or TypedOrder(),
            choices=choices,
            shown=shown,
            held=pages.pack(held) if held and pages else None,
            note=note,
            release_id=port.release_id,
        ),
        status,
    )


def _lines(read: Prescription, resources: Sequence[Mapping[str, Any]]) -> list[DraftLine]:
    """A line for each resource, in order; one that intake did not read as an order still gets its box."""
    orders = {o.reference.rsplit("/", 1)[-1]: o for o in read.orders_in(OrderRole.DRAFT)}
    lines = []
    for resource in resources:
        order = orders.get(str(resource.get("id")))
        value = encode(resource).decode()
        lines.append(draft_line(order, value) if order else DraftLine(value, f"Order {resource.get('id')}", "not read as an order", "en"))
    return lines


def _unknown(name: str) -> Response:
    message = f"The demo has no patient {name[:64]!r}."
    return make_response(render_template("refused.html", heading="No such patient", message=message), 404)


def _today() -> date:
    return datetime.now(UTC).date()
