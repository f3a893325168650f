#!/usr/bin/env python3
"""What extraction costs a label: labels a second and core, peak memory, milliseconds of each proposer, the slowest labels.

    python benchmarks/extraction.py --source LABELS... [--labels N] [--slowest N]

One process, one label after another. `first` is the time as it falls in a build, where the proposer that first asks for a section pays for its reading;
`again` the time when the sections are read. Gates and comparison are the rest of `whole`. Prints, never asserts.
"""

from __future__ import annotations

import argparse
import gc
import resource
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from kb_builder.extraction import Extractor, subject_of
from kb_builder.ingest.registry import read_sources
from kb_builder.propose.protocol import Proposer, Subject
from kb_builder.propose.reading.lexicon import Lexicon
from kb_builder.propose.registry import PROPOSERS
from ontology.terms.terminology import Terminology
from ontology.text.document import Document


def main() -> None:
    """Extracts from every label of the sources and prints what it cost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", nargs="+", type=Path, required=True)
    parser.add_argument("--labels", type=int, help="Only the first N labels.")
    parser.add_argument("--slowest", type=int, default=3, help="Slowest labels to show of each proposer.")
    arguments = parser.parse_args()
    terminology = Terminology.shipped()
    meter = Meter(terminology)
    for document in islice(documents(tuple(arguments.source)), arguments.labels):
        meter.measure(document)
    meter.show(arguments.slowest)


def documents(sources: tuple[Path, ...]) -> Iterator[Document]:
    """The labels of the sources."""
    return (item for _, item in read_sources(sources) if isinstance(item, Document))


class Meter:
    """Times of every label so far."""

    def __init__(self, terminology: Terminology) -> None:
        self._terminology = terminology
        self._lexicon = Lexicon(terminology)
        self._extractor = Extractor(terminology, PROPOSERS)
        self._base = memory()
        self._whole: list[float] = []
        self._first: dict[str, list[tuple[float, str]]] = defaultdict(list)
        self._again: dict[str, list[float]] = defaultdict(list)
        self._proposals: dict[str, int] = defaultdict(int)
        self._unknown = 0

    def measure(self, document: Document) -> None:
        """Adds one label. The whole extraction reads its sections itself, so it is timed first."""
        began = time.process_time()
        self._extractor.extract(document)
        self._whole.append(time.process_time() - began)
        subject = subject_of(document, self._terminology)
        if subject is None:
            self._unknown += 1
            return
        for proposer in PROPOSERS:
            took, count = self._time(proposer, document, subject)
            self._first[proposer.name].append((took, f"{document.set_id} {subject.name}"))
            self._proposals[proposer.name] += count
        for proposer in PROPOSERS:
            self._again[proposer.name].append(self._time(proposer, document, subject)[0])

    def _time(self, proposer: Proposer, document: Document, subject: Subject) -> tuple[float, int]:
        began = time.process_time()
        count = sum(1 for _ in proposer.propose(document, subject, self._lexicon))
        return time.process_time() - began, count

    def show(self, slowest: int) -> None:
        """Prints the figures."""
        labels, seconds = len(self._whole), sum(self._whole)
        if not labels:
            print("no label was read")
            return
        gc.collect()
        print(f"labels {labels:,}, of them {self._unknown:,} without a known product")
        print(
            f"whole          {labels / max(seconds, 1e-9):8.1f} labels/s a core   {1000 * seconds / labels:8.1f} ms a label   slowest {1000 * max(self._whole):,.0f} ms"
        )
        print(f"peak memory    {memory():8.0f} MB, {self._base:.0f} MB before the first label")
        print(f"{'proposer':22} {'first ms':>9} {'again ms':>9} {'slowest':>9} {'proposals a label':>18}")
        for name, times in self._first.items():
            first, again = (1000 * sum(values) / len(values) for values in ([t for t, _ in times], self._again[name]))
            print(f"{name:22} {first:9.2f} {again:9.2f} {1000 * max(times)[0]:9.1f} {self._proposals[name] / len(times):18.1f}")
        for name, times in self._first.items():
            for took, label in sorted(times, reverse=True)[:slowest]:
                print(f"  {name:20} {1000 * took:9.1f} ms  {label}")


def memory() -> float:
    """The most memory this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
