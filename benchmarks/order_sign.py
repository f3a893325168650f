"""order-sign under load: latency, throughput and memory on a release, over distinct request bodies.

    python benchmarks/order_sign.py --release RELEASE [--drugs 1,5,10] [--bodies 500] [--clients 4] [--workers 2]

Starts `cds-service serve` on a free port, makes the bodies from the release's own products (so that every drug is known), sends each body
once a round over kept-alive connections, and prints a line a size: p50, p99, requests a second, proportional memory of the workers. The
load generator runs in one process beside the server and is part of the figures. Prints, never asserts.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path
from typing import Any

from ontology.store.release import Release

RXNORM = "http://www.nlm.nih.gov/research/umls/rxnorm"
ICD = "http://hl7.org/fhir/sid/icd-10-cm"
CONDITIONS = (
    ("I10", "Hypertension"),
    ("E11.9", "Type 2 diabetes"),
    ("J45.909", "Asthma"),
    ("I48.91", "Atrial fibrillation"),
    ("N18.3", "Chronic kidney disease stage 3"),
)
LABS = (
    ("2160-0", "Creatinine", "mg/dL", 0.6, 2.4),
    ("2823-3", "Potassium", "mmol/L", 3.2, 5.6),
    ("29463-7", "Body weight", "kg", 48, 110),
    ("8302-2", "Body height", "cm", 150, 195),
)


def products(release: Release) -> list[tuple[str, str]]:
    """Name and RxCUI of a product a subject, for subjects whose label lists one."""
    found = []
    for subject in release.subjects():
        dossier = release.dossier(subject)
        codes = sorted(c.removeprefix("rxnorm:") for label in dossier.labels for c in label.product_codes if c.startswith("rxnorm:")) if dossier else []
        if dossier and codes:
            found.append((dossier.name, codes[0]))
    return found


def resource(kind: str, identifier: str, **members: Any) -> dict[str, Any]:
    """A FHIR resource."""
    return {"resourceType": kind, "id": identifier, **members}


def searchset(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A searchset of the resources."""
    return {"resourceType": "Bundle", "type": "searchset", "total": len(rows), "entry": [{"resource": r, "search": {"mode": "match"}} for r in rows]}


def order(identifier: str, drug: tuple[str, str], status: str, subject: dict[str, str], rng: random.Random) -> dict[str, Any]:
    """An order of a product, one to four times a day for some days; every second one has words of its own."""
    days = rng.randint(1, 90)
    dosage = {
        "timing": {
            "repeat": {"frequency": rng.choice((1, 1, 2, 3, 4)), "period": 1, "periodUnit": "d", "boundsDuration": {"value": days, "unit": "d", "code": "d"}}
        },
        "doseAndRate": [{"doseQuantity": {"value": rng.choice((1, 1, 2)), "unit": "tablet", "code": "{tbl}"}}],
        "route": {"text": "oral"},
    }
    if rng.random() < 0.5:
        dosage["patientInstruction"] = f"Take for {days} days, next visit in week {rng.randint(1, 52)}"
    concept = {"coding": [{"system": RXNORM, "code": drug[1], "display": drug[0]}], "text": drug[0]}
    return resource(
        "MedicationRequest",
        identifier,
        status=status,
        intent="order",
        medicationCodeableConcept=concept,
        subject=subject,
        authoredOn="2026-11-01",
        dosageInstruction=[dosage],
    )


def body(drugs: list[tuple[str, str]], rng: random.Random) -> bytes:
    """A signature of half of the drugs, the other half already taken, by a patient of its own."""
    patient = f"bench-{rng.getrandbits(48):x}"
    subject = {"reference": f"Patient/{patient}"}
    split = max(1, len(drugs) // 2)
    conditions = [
        resource(
            "Condition", f"c{i}", subject=subject, clinicalStatus={"coding": [{"code": "active"}]}, code={"coding": [{"system": ICD, "code": c}], "text": t}
        )
        for i, (c, t) in enumerate(rng.sample(CONDITIONS, 3))
    ]
    labs = [
        resource("Observation", f"o{i}", subject=subject, status="final", code={"coding": [{"system": "http://loinc.org", "code": c}], "text": t}, effectiveDateTime="2026-10-30",
                 valueQuantity={"value": round(rng.uniform(low, high), 1), "unit": u, "code": u})
        for i, (c, t, u, low, high) in enumerate(LABS)
    ]  # fmt: skip
    allergy = resource("AllergyIntolerance", "a0", patient=subject, code={"text": rng.choice(("Penicillins", "Sulfonamides", "Latex", "Peanut"))})
    request = {
        "hook": "order-sign",
        "hookInstance": str(uuid.UUID(int=rng.getrandbits(128))),
        "context": {
            "userId": "Practitioner/bench",
            "patientId": patient,
            "draftOrders": {"resourceType": "Bundle", "entry": [{"resource": order(f"d{i}", d, "draft", subject, rng)} for i, d in enumerate(drugs[:split])]},
        },
        "prefetch": {
            "patient": resource("Patient", patient, birthDate=f"{rng.randint(1930, 2010)}-06-15", gender=rng.choice(("female", "male"))),
            "medications": searchset([order(f"m{i}", d, "active", subject, rng) for i, d in enumerate(drugs[split:])]),
            "conditions": searchset(conditions),
            "allergies": searchset([allergy]),
            "observations": searchset(labs),
        },
    }
    return json.dumps(request).encode()


def fire(host: str, port: int, bodies: list[bytes], clients: int) -> tuple[list[float], float, int]:
    """Seconds of each request, seconds of all, and how many were not answered with 200."""
    waiting = iter(bodies)
    lock = threading.Lock()
    seconds: list[float] = []
    failed = [0]

    def client() -> None:
        connection = http.client.HTTPConnection(host, port, timeout=60)
        while True:
            with lock:
                raw = next(waiting, None)
            if raw is None:
                return
            start = time.perf_counter()
            connection.request("POST", "/cds-services/pharmgraph-order-sign", raw, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            took = time.perf_counter() - start
            with lock:
                seconds.append(took)
                failed[0] += answer.status != 200

    threads = [threading.Thread(target=client) for _ in range(clients)]
    start = time.perf_counter()
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return sorted(seconds), time.perf_counter() - start, failed[0]


def worker_memory(parent: int) -> list[float]:
    """Proportional set size of each worker in MiB."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "stat").read_text().rsplit(")", 1)[1].split()[1] == str(parent):
                rows = (entry / "smaps_rollup").read_text().splitlines()
                found.append(int(next(r for r in rows if r.startswith("Pss:")).split()[1]) / 1024)
        except OSError:
            continue
    return found


def main() -> int:
    """Runs the benchmark; 1 when the server does not start."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", type=Path, required=True)
    parser.add_argument("--drugs", default="1,5,10")
    parser.add_argument("--bodies", type=int, default=500)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    with Release.open(args.release) as release:
        known = products(release)
        print(f"release {release.id}: {len(known)} products; {os.cpu_count()} cores, {args.workers} workers of {args.threads} threads, {args.clients} clients")
    with tempfile.TemporaryDirectory(prefix="order-sign-") as folder:
        log = Path(folder) / "log"
        command = [
            sys.executable,
            "-c",
            "from cds_service.cli import main; main()",
            "serve",
            "--release",
            str(args.release),
            "--port",
            "0",
            "--state",
            f"{folder}/state",
            "--workers",
            str(args.workers),
            "--threads",
            str(args.threads),
        ]
        with log.open("w") as out:
            server = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        try:
            while "Listening at: http://" not in log.read_text():
                if server.poll() is not None:
                    print(log.read_text(), file=sys.stderr)
                    return 1
                time.sleep(0.05)
            host, port = log.read_text().split("Listening at: http://")[1].split(" ")[0].split(":")
            print(f"{'drugs':>5} {'bodies':>7} {'KiB':>6} {'p50 ms':>8} {'p99 ms':>8} {'max ms':>8} {'req/s':>7} {'PSS MiB a worker':>18}  failed")
            for size in (int(n) for n in args.drugs.split(",")):
                bodies = [body(rng.sample(known, min(size, len(known))), rng) for _ in range(args.bodies)]
                fire(host, int(port), bodies[: args.clients * 10], args.clients)
                one, _, lost = fire(host, int(port), bodies, 1)
                many, seconds, lost_too = fire(host, int(port), bodies, args.clients)
                memory = worker_memory(server.pid)
                kib = sum(map(len, bodies)) / len(bodies) / 1024
                print(
                    f"{size:5} {len(bodies):7} {kib:6.1f} {one[len(one) // 2] * 1000:8.1f} {one[int(len(one) * 0.99)] * 1000:8.1f} {one[-1] * 1000:8.1f} {len(many) / seconds:7.0f}"
                    f" {', '.join(f'{m:.0f}' for m in sorted(memory)):>18}  {lost + lost_too}"
                )
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(20)
    return 0


if __name__ == "__main__":
    sys.exit(main())
