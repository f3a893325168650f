"""The figures agree with the benchmark's own scorer: on gold facts changed in every way, and on a release of real labels."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from kb_builder.assemble.policy import load_policy
from kb_builder.learn.evaluation import Evaluation, LabelComparison, evaluate
from kb_builder.learn.flat import KINDS, flat_fact
from kb_builder.learn.gold import read_gold
from kb_builder.learn.placed import LabelText, Said
from kb_builder.pipeline import build
from kb_builder.plan import BuildPlan
from kb_builder.progress import SilentReporter
from kb_builder.publish.facts import export_facts
from ontology.store.release import Release

pytestmark = pytest.mark.shared
WITHIN = 0.005
_ROW = re.compile(r"^(\w+(?: \(micro\))?) +(\d+) +(\d+) +(\d+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def gold_folder(shared: Path) -> Path:
    return shared / "benchmark" / "facts-dev"


def scored(shared: Path, gold: Path, said: Path) -> tuple[dict[str, tuple[float, ...]], str]:
    """The scorer's counts and figures by kind, and all it printed."""
    command = [sys.executable, str(shared / "benchmark" / "score_facts.py"), str(gold), "--pred", str(said)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {m[1]: tuple(float(x) for x in m.groups()[1:]) for m in _ROW.finditer(told)}, told


def assert_agreement(ours: Evaluation, theirs: dict[str, tuple[float, ...]], told: str) -> None:
    for kind in KINDS:
        if kind in ours.kinds:
            required, found, said, right, precision, recall, _ = theirs[kind]
            tally = ours.kinds[kind]
            assert (tally.required, tally.said) == (required, said)
            assert abs(tally.precision - precision) <= WITHIN, (kind, tally, right)
            assert abs(tally.recall - recall) <= WITHIN, (kind, tally, found)
    total = theirs["overall (micro)"]
    assert abs(ours.total.precision - total[4]) <= WITHIN
    assert abs(ours.total.recall - total[5]) <= WITHIN
    grave = re.search(r"must not be missed .*: (\d+)/(\d+)", told)
    assert grave is not None
    assert abs(ours.grave.found - int(grave[1])) <= 2
    assert ours.grave.required == int(grave[2])
    harms = sum(int(n) for n in re.findall(r": (\d+)[,}]", next(line for line in told.splitlines() if line.startswith("harmful"))))
    assert abs(ours.harms.total() - harms) <= max(2, harms // 50)


def changed(data: dict[str, Any], draw: random.Random) -> dict[str, Any] | None:
    """A gold fact as an extractor might say it: mostly as it stands, else with something lost, added or mistaken."""
    fact = {k: v for k, v in data.items() if k not in ("optional", "quote")}
    fact["target"] = {"name": draw.choice([fact["target"]["name"], *fact["target"].get("accept", [])])} if "target" in fact else None
    way = draw.randrange(12)
    if way == 0:
        return None
    if way == 1:
        fact.pop("when", None)
    if way == 2 and "action" in fact:
        fact["action"] = draw.choice(["avoid", "monitor", "no-adjustment", "adjust-dose"])
    if way == 3:
        fact["when"] = [*fact.get("when", []), {"axis": draw.choice(["age", "crcl", "hepatic"]), "low": draw.choice([18, 30, 65])}]
    dose = dict(fact.get("dose") or {})
    if dose and way in (4, 5, 6, 7, 8):
        key, values = [("low", [1, 5]), ("unit", ["mcg", "mg", "g"]), ("per", ["week", "day"]), ("times_low", [1, 2, 3]), ("basis", ["flat", "per-kg"])][
            way - 4
        ]
        dose[key] = draw.choice(values)
    if fact["target"] and way in (4, 5):
        words = fact["target"]["name"].split()
        fact["target"]["name"] = " ".join(words[1:] or words) if way == 4 else f"{fact['target']['name']} severe"
    if way == 9:
        fact["kind"] = draw.choice(KINDS)
    if way == 10 and fact.get("indication"):
        fact["indication"] = "something else altogether"
    return {**fact, "dose": dose} if dose else {k: v for k, v in fact.items() if k != "dose"}


@pytest.mark.parametrize("seed", range(4))
def test_changed_gold_scores_alike(shared: Path, gold_folder: Path, tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    lines = [json.loads(line) for path in sorted(gold_folder.glob("*.jsonl")) for line in path.read_text().splitlines() if line.strip()]
    said = [{k: v for k, v in fact.items() if v is not None} for line in lines if (fact := changed(line, draw)) is not None]
    path = tmp_path / "said.jsonl"
    path.write_text("\n".join(json.dumps(fact) for fact in said))
    theirs, told = scored(shared, gold_folder, path)

    by_label: dict[str, list[Said]] = defaultdict(list)
    meanings = set()
    for line in path.read_text().splitlines():
        fact = flat_fact(json.loads(line, parse_float=str, parse_int=int))
        if fact.meaning not in meanings:
            meanings.add(fact.meaning)
            by_label[fact.doc].append(Said(fact, "c", fact.predicate, "x", (), stands=True))
    gold = read_gold([gold_folder])
    ours = Evaluation()
    for set_id in {fact.doc for fact in gold}:
        LabelComparison([fact for fact in gold if fact.doc == set_id], by_label[set_id], LabelText(())).into(ours)
    assert 0.3 < ours.total.f1 < 0.95
    assert_agreement(ours, theirs, told)


@pytest.mark.slow
def test_a_release_of_real_labels_scores_alike(shared: Path, gold_folder: Path, tmp_path: Path) -> None:
    gold = read_gold([gold_folder])
    wanted = sorted({fact.doc for fact in gold})[:6]
    records = []
    for archive in sorted((shared / "data" / "labels" / "openfda").glob("*.zip")):
        with zipfile.ZipFile(archive) as opened:
            records += [r for name in opened.namelist() for r in json.loads(opened.read(name))["results"] if r["set_id"] in wanted]
    (tmp_path / "labels.json").write_text(json.dumps({"meta": {}, "results": records}))
    build(BuildPlan((tmp_path / "labels.json",), tmp_path / "release", load_policy("default")), SilentReporter())
    few = tmp_path / "gold.jsonl"
    lines = [line for path in sorted(gold_folder.glob("*.jsonl")) for line in path.read_text().splitlines() if line.strip()]
    few.write_text("\n".join(line for line in lines if json.loads(line)["doc"] in wanted))
    with Release.open(tmp_path / "release") as release:
        (tmp_path / "said.jsonl").write_bytes(b"\n".join(export_facts(release)))
        ours = evaluate(read_gold([few]), release)
    assert ours.adrift == 0
    assert_agreement(ours, *scored(shared, few, tmp_path / "said.jsonl"))
