#!/usr/bin/env python3
"""What loaded terminologies cost: seconds and memory to load, to build with, and in a process that identifies drugs.

    python benchmarks/terminology.py [--scale 1.0] [--source LABELS...]

Writes invented files in the formats of RxNorm (200,000 products), the NDC directory (130,000) and SNOMED CT (350,000 concepts); a scale of
0.1 makes a tenth of each. Prints, never asserts.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "tests"), str(REPOSITORY / "benchmarks")]

from build import COMMAND, watch  # noqa: E402
from site_files import CAUSE, FULL_NAME, IS_A, NDC_HEADER, atom, attribute, concept, description, edge, ndc_row, relation, write_snomed  # noqa: E402

from ontology.terms.readers.registry import condition_anchors  # noqa: E402

INGREDIENTS, PRODUCTS, NDCS, CONCEPTS = 14_000, 200_000, 130_000, 350_000
FIRST = 70_000_000
SYLLABLES = [a + b for a in "bcdfglmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "or", "il")]

PROBE = """
import json, random, re, sys, time
from pathlib import Path
from ontology.model.identifiers import Code
from ontology.store.release import Release
release = Release.open(Path(sys.argv[1]))
began = time.perf_counter(); terms = release.terminology; opened = time.perf_counter() - began
codes, texts = json.loads(Path(sys.argv[2]).read_text())
def each(questions):
    times = []
    for codes, text in questions:
        began = time.perf_counter(); terms.identify_drug(codes, text); times.append(time.perf_counter() - began)
    times.sort()
    return f"{times[len(times) // 2] * 1e6:,.0f} / {times[int(len(times) * 0.99)] * 1e6:,.0f}"
said = {"opened": f"{opened:.2f} s"}
said["codes"] = each([([Code("rxnorm", c)], None) for c in codes])
said["texts"] = each([([], t) for t in texts])
said["known text"] = each([([], "warfarin sodium 5 MG Oral Tablet")] * 1000)
said["MB"] = int(re.search(r"Pss:\\s+(\\d+)", Path("/proc/self/smaps_rollup").read_text())[1]) / 1024
print(json.dumps(said))
"""


def main() -> None:
    """Makes the files, loads them, builds with and without, and asks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--source", nargs="+", type=Path, default=[REPOSITORY / "fixtures" / "monographs"])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        questions = write_files(folder, arguments.scale)
        for path in (folder / "rrf", folder / "product.txt", folder / "SnomedCT_Test"):
            print(f"{path.name:14} {size(path) / 1e6:8,.0f} MB")
        load = ["terminology", "load", "--rxnorm", folder / "rrf", "--ndc", folder / "product.txt", "--snomed", folder / "SnomedCT_Test"]
        measure("load", [*load, "--out", folder / "TERMS"])
        print(f"{'TERMS':14} {size(folder / 'TERMS') / 1e6:8,.0f} MB")
        source = ["build", "--source", *arguments.source]
        measure("build", [*source, "--out", folder / "without"])
        measure("build --terms", [*source, "--out", folder / "with", "--terms", folder / "TERMS"])
        print(f"{'table':14} {size(folder / 'with' / 'loaded-terms.sqlite') / 1e6:8,.0f} MB")
        for release in ("without", "with"):
            told = subprocess.run([sys.executable, "-c", PROBE, folder / release, questions], check=True, capture_output=True, text=True).stdout
            print(f"{release} loaded terms: " + ", ".join(f"{what} {value}" for what, value in json.loads(told).items()) + " (microseconds p50 / p99)")


def measure(what: str, arguments: list[object]) -> None:
    """Runs `kb-builder` and prints seconds and the peak of its processes' memory."""
    import threading

    began = time.monotonic()
    process = subprocess.Popen([*COMMAND, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    peak = [0.0]
    watcher = threading.Thread(target=watch, args=(process, peak), daemon=True)
    watcher.start()
    _, error = process.communicate()
    watcher.join()
    if process.returncode:
        sys.exit(error)
    print(f"{what:14} {time.monotonic() - began:8.1f} s, {peak[0]:,.0f} MB")
    for line in error.splitlines():
        if re.match(r"rxnorm|ndc|snomed|terms", line):
            print(f"    {line[:300]}")


def size(path: Path) -> int:
    """Bytes of a file or of a folder's files."""
    return path.stat().st_size if path.is_file() else sum(p.stat().st_size for p in path.rglob("*") if p.is_file())


def write_files(folder: Path, scale: float) -> Path:
    """Writes all files; the path of a file with codes and texts to ask for."""
    rng = random.Random(7)
    names = list(dict.fromkeys("".join(rng.choices(SYLLABLES, k=5)) for _ in range(int(INGREDIENTS * scale) * 2)))[: int(INGREDIENTS * scale)]
    (folder / "rrf").mkdir()
    products = int(PRODUCTS * scale)
    with (
        (folder / "rrf" / "RXNCONSO.RRF").open("w") as conso,
        (folder / "rrf" / "RXNREL.RRF").open("w") as rel,
        (folder / "rrf" / "RXNSAT.RRF").open("w") as sat,
    ):
        for kind, row in rxnorm_rows(names, products, rng):
            {"conso": conso, "rel": rel, "sat": sat}[kind].write(row + "\n")
    with (folder / "product.txt").open("w") as ndc:
        ndc.write(NDC_HEADER + "\n")
        for n in range(int(NDCS * scale)):
            parts = rng.sample(names, rng.choice((1, 1, 1, 2)))
            ndc.write(
                ndc_row(f"{90000 + n // 9999}-{n % 9999 + 1:04d}", f"{rng.choice(names)}ex", "; ".join(f"{p} HYDROCHLORIDE".upper() for p in parts)) + "\n"
            )
    write_snomed(folder, *snomed_rows(int(CONCEPTS * scale), names, rng))
    codes = [str(FIRST + 3_000_000 + rng.randrange(products)) for _ in range(2_000)]
    texts = [f"{rng.choice(names)} {rng.randrange(1, 500)} MG / {rng.choice(names)} 5 MG Oral Tablet" for _ in range(2_000)]
    (folder / "questions.json").write_text(json.dumps([codes, texts]))
    return folder / "questions.json"


def rxnorm_rows(names: list[str], products: int, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Ingredients with a salt and a brand each, components, products of one or two of them, and as many relations as RxNorm has beside."""
    yield "conso", atom(FIRST - 1, "DF", "Oral Tablet")
    for n, name in enumerate(names):
        yield "conso", atom(FIRST + n, "IN", name)
        yield "conso", atom(FIRST + 100_000 + n, "PIN", f"{name} hydrochloride")
        yield "conso", atom(FIRST + 200_000 + n, "BN", f"{name[:4].title()}{n}ix")
        yield "rel", relation(FIRST + 100_000 + n, "form_of", FIRST + n)
        for k in range(4):
            yield "conso", atom(FIRST + 1_000_000 + n * 4 + k, "SCDC", f"{name} {5 * (k + 1)} MG")
            yield "rel", relation(FIRST + 1_000_000 + n * 4 + k, "has_ingredient", FIRST + n)
    for n in range(products):
        parts = sorted({rng.randrange(len(names) * 4) for _ in range(rng.choice((1, 1, 2)))})
        said = " / ".join(f"{names[p // 4]} {5 * (p % 4 + 1)} MG" for p in parts) + " Oral Tablet"
        branded = n % 2
        brand = rng.randrange(len(names))
        code = FIRST + 3_000_000 + n
        yield "conso", atom(code, "SBD" if branded else "SCD", f"{said} [{names[brand][:4].title()}{brand}ix]" if branded else said)
        yield "rel", relation(code, "has_dose_form", FIRST - 1)
        if branded:
            yield "rel", relation(code, "has_ingredient", FIRST + 200_000 + brand)
        for part in parts:
            yield "rel", relation(code, "consists_of", FIRST + 1_000_000 + part)
            yield "rel", relation(FIRST + 1_000_000 + part, "constitutes", code)
        for other in range(10):
            yield "rel", relation(code, "isa", FIRST + other)
        yield "sat", attribute(code, "NDC", f"{88000000000 + n * 100:011d}")
        for other in range(5):
            yield "sat", attribute(code, f"OTHER_{other}", "x")


def snomed_rows(number: int, names: list[str], rng: random.Random) -> tuple[Iterator[str], Iterator[str], Iterator[str]]:
    """Known conditions at the top, a tree with cross links below, allergies and their causes; three descriptions a concept."""
    anchors = sorted(condition_anchors())
    codes = [*anchors, *range(FIRST, FIRST + number)]
    allergic, substance = 609328004, 105590001
    third = len(codes) // 20

    def concepts() -> Iterator[str]:
        yield from (concept(c) for c in (*codes, allergic, substance))

    def descriptions() -> Iterator[str]:
        for n, code in enumerate(codes):
            name = names[n % len(names)]
            substance = len(codes) - 2 * third < n <= len(codes) - third
            yield description(code, f"{name} (substance)" if substance else f"Disorder {n} of {name} (disorder)", FULL_NAME)
            yield description(code, f"{name} synonym number {n}")
            yield description(code, f"{name} old {n}", active="0")

    def edges() -> Iterator[str]:
        for n in range(len(anchors), len(codes)):
            if n > len(codes) - third:
                yield edge(codes[n], IS_A, allergic)
                yield edge(codes[n], CAUSE, codes[n - third])
            elif n > len(codes) - 2 * third:
                yield edge(codes[n], IS_A, substance)
            else:
                for _ in range(1 if n % 5 else 2):
                    yield edge(codes[n], IS_A, codes[rng.randrange(n)])
                yield edge(codes[n], "363698007", codes[0])

    return concepts(), descriptions(), edges()


if __name__ == "__main__":
    main()
