"""The stages of a build with declared outputs and counts.

Two passes: the metadata of all sources compiles into the terminology first, then every label is read with it.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from kb_builder.assemble.composition import PROVENANCE
from kb_builder.assemble.settle import Settler
from kb_builder.errors import NothingReadable, SourcesRefused
from kb_builder.extraction import subject_of
from kb_builder.ingest.forms import with_forms
from kb_builder.ingest.overlay import product_rows
from kb_builder.ingest.reader import Noted, Refused
from kb_builder.ingest.registry import read_sources
from kb_builder.ingest.shape import SourceShape
from kb_builder.ingest.site_terms import compile_terms, loaded_sources
from kb_builder.ingest.sources import file_hash
from kb_builder.ingest.terminology import term_documents
from kb_builder.ledger.ledger import Recording
from kb_builder.plan import BuildPlan
from kb_builder.progress import Reporter
from kb_builder.propose.model.asking import ask_all
from kb_builder.propose.model.proposer import ModelProposer
from kb_builder.propose.model.reply_folder import ReplyFolder
from kb_builder.propose.model.settings import ModelSettings
from kb_builder.publish.compile import add_label_set
from kb_builder.recording import recorded
from kb_builder.report import BuildReport, Failure, listed, told, told_as_data
from kb_builder.workers import extract_all
from kb_builder.workspace import Workspace
from ontology.store.manifest import read_manifest
from ontology.store.writer import ReleaseWriter
from ontology.terms.entries import ProductRow
from ontology.terms.loaded import LOADED
from ontology.terms.terminology import Terminology
from ontology.text.document import Document

STAGES: tuple[tuple[str, str], ...] = (
    ("ingest", "documents, each version once; one version of each judges"),
    ("terms", "the terminology with the overlay of all products"),
    ("propose", "every document's claims, gated, scoped and consolidated"),
    ("assemble", "claims compared between labels and promoted by the policy"),
    ("publish", "graph, closures, dossiers, manifest"),
)
"""The stages and what each leaves for the next. With a model, `ask` stands before `propose`: every reply that proposers will read, recorded."""


class Run:
    """One build from its first stage to its last, in its own workspace; `report` fills stage by stage."""

    def __init__(self, plan: BuildPlan, workspace: Workspace, reporter: Reporter, inputs: str) -> None:
        self.plan = plan
        self.workspace = workspace
        self.reporter = reporter
        self.inputs = inputs
        self.report = BuildReport(path=plan.out)
        self.settler = Settler(plan.policy)
        self.shapes: dict[str, SourceShape] = {path.name: SourceShape() for path in plan.sources}
        self.terminology: Terminology
        self.proposers = tuple(plan.proposers)

    def first_pass(self) -> None:
        """Reads all sources and compiles the terminology."""
        self._stage("ingest", None, self._ingest)
        self._fail_if_strict()
        set_ids = self.workspace.set_ids()
        self._stage("terms", len(set_ids), lambda: self._terms(set_ids))

    def second_pass(self, target: Path, recording: Recording | None) -> Path:
        """Reads every label with the terminology and writes the release; its folder."""
        set_ids = self.workspace.set_ids()
        if (model := self.plan.model) is not None:
            self._stage("ask", len(set_ids), lambda: self._ask(model, set_ids))
        self._stage("propose", len(set_ids), lambda: self._propose(set_ids))
        self._fail_if_strict()
        with ReleaseWriter(target) as writer:
            self._stage("assemble", len(set_ids), lambda: self._assemble(set_ids, writer, recording))
            self._stage("publish", None, lambda: self._publish(writer))
        if recording is not None:
            recording.finish(self.report.release)
        return target

    def _stage(self, name: str, total: int | None, work: Callable[[], Mapping[str, int]]) -> None:
        """Runs a stage; its counts go into the report, and on the screen when it is over."""
        began = time.monotonic()
        self.reporter.start(name, total)
        line: str | None = None
        try:
            counts = dict(work())
            self.report.counts[name] = counts
            line = told(counts)
        finally:
            self.report.seconds[name] = time.monotonic() - began
            self.reporter.end(line)

    def _ingest(self) -> Mapping[str, int]:
        counts = Counter({"files": 0, "records": 0})
        files: set[str] = set()
        for name, item in read_sources(self.plan.sources):
            files.add(name)
            if isinstance(item, Refused):
                self.report.refused.append(item)
                continue
            if isinstance(item, Noted):
                self.report.noted.append(item)
                continue
            added = self.workspace.add(item)
            outcome = added.outcome
            if outcome in ("poorer", "richer"):
                kept = "this one has more text and is used" if outcome == "richer" else "the one with more text is used, not this"
                self.report.noted.append(
                    Noted(name, None, "set_id", f"the label {item.set_id} came before in version {added.version} with other content: {kept}")
                )
            counts["records"] += 1
            counts["duplicate" if outcome == "duplicate" else "poorer copies" if outcome in ("poorer", "richer") else "documents"] += 1
            self.shapes[_origin(name, self.plan.sources).name].add(item)
            self.reporter.advance()
        judging, older = self.workspace.choose_judging()
        counts["files"] = len(files)
        if not judging:
            reasons = "\n".join(listed("refused", [str(r) for r in self.report.refused]))
            raise NothingReadable(f"not one label could be read from {', '.join(map(str, self.plan.sources))}\n{reasons}".rstrip())
        return {**counts, "labels": judging, "older versions": older, "refused": len(self.report.refused), "noted": len(self.report.noted)}

    def _terms(self, set_ids: list[str]) -> Mapping[str, int]:
        shipped = self.plan.terms()
        rows: list[ProductRow] = []
        for set_id in set_ids:
            read, *older = self.workspace.versions(set_id)
            judging = with_forms(read, shipped.form)
            if judging is not read:
                self.workspace.rewrite(judging)
            rows += product_rows(judging, older)
            self.reporter.advance()
        self.terminology = terminology = shipped.with_products(rows)
        loaded: Mapping[str, int] = {}
        if self.plan.loaded_terms is not None:
            compiled = compile_terms(self.plan.loaded_terms, terminology, self.workspace.folder / LOADED, self.reporter.advance)
            self.terminology = terminology = compiled.terminology
            self.report.refused += compiled.refused
            self.report.noted += compiled.noted
            loaded = compiled.counts
        self.workspace.put_terms(terminology.rows())
        return {**loaded, "products": len(rows), "entities": sum(1 for _ in terminology.entities()), "hand-kept edges": sum(1 for _ in terminology.edge_rows())}

    def _ask(self, model: ModelSettings, set_ids: list[str]) -> Mapping[str, int]:
        replies = ReplyFolder(model.cache or self.workspace.folder / "replies")
        documents = (self.workspace.judging(set_id) for set_id in set_ids)
        spent = ask_all(((d, _drug(d, self.terminology)) for d in documents), model, replies, self.reporter.advance)
        self.report.model = spent.line(model)
        self.proposers = (*self.proposers, ModelProposer(model, replies))
        return spent.counts()

    def _propose(self, set_ids: list[str]) -> Mapping[str, int]:
        counts = Counter({"labels": 0, "proposed": 0, "rejected": 0, "repeated": 0, "without a known product": 0})
        by: Counter[str] = Counter()
        results = extract_all(self.workspace.folder, set_ids, self.plan.jobs, self.terminology, self.proposers)
        with contextlib.closing(results):
            for extracted in results:
                self.workspace.put_extraction(extracted.set_id, extracted.packed)
                self.settler.compare(extracted.set_id, extracted.stances)
                self.report.failed += [Failure(extracted.set_id, *failure) for failure in extracted.failed]
                counts["labels"] += 1
                counts["without a known product"] += not extracted.known_product
                counts["proposed"] += extracted.proposed.total()
                counts["rejected"] += extracted.rejected.total()
                counts["repeated"] += extracted.repeated
                by.update({f"by {name}": n for name, n in extracted.proposed.items()})
                by.update({f"rejected by {gate} gate": n for gate, n in extracted.rejected.items()})
                by.update({f"dropped by {reason}": n for reason, n in extracted.dropped.items()})
                self.reporter.advance()
        return {**counts, **dict(sorted(by.items())), "failed": len(self.report.failed)}

    def _assemble(self, set_ids: list[str], writer: ReleaseWriter, recording: Recording | None) -> Mapping[str, int]:
        terminology = self.terminology
        broken = {failure.document for failure in self.report.failed}
        files = list(term_documents(terminology))
        for document in files:
            writer.add_document(document)
        writer.add_terms(self.workspace.terms())
        if self.plan.loaded_terms is not None:
            writer.add_file(self.workspace.folder / LOADED, LOADED)
        writer.add_entities(terminology.entities())
        writer.add_claims(recorded(files, self.settler.settle_edges(terminology, files), recording))
        for set_id in set_ids:
            judging, *older = self.workspace.versions(set_id)
            for document in (judging, *older):
                writer.add_document(document)
            extraction = self.workspace.extraction(set_id)
            if extraction.subject is not None:
                writer.add_entities(extraction.entities.values())
                add_label_set(writer, judging, extraction.subject, extraction.ingredients, terminology, read=set_id not in broken)
                writer.add_claims(recorded([judging], self.settler.settle(extraction.gated), recording))
            self.reporter.advance()
        return self.settler.counts()

    def _publish(self, writer: ReleaseWriter) -> Mapping[str, int]:
        done = 0

        def show(made: int, _: int) -> None:
            nonlocal done
            self.reporter.advance(made - done)
            done = made

        manifest = read_manifest(writer.finish(self._manifest(), progress=show))
        self.report.release = str(manifest["id"])
        return {str(name): int(count) for name, count in manifest["counts"].items()}

    def _manifest(self) -> dict[str, Any]:
        """What the builder says of the release: the same for the same input, apart from the store's date."""
        return {
            "builder": {"name": "kb-builder", "version": _version()},
            "policy": self.plan.policy.key,
            "extractors": {"metadata": PROVENANCE.version, **{p.name: p.version for p in self.proposers}},
            "sources": sorted(({"name": p.name, "sha256": file_hash(p), "records": self.shapes[p.name].records} for p in self.plan.sources), key=str),
            "stages": self.report.counts,
            "inputs": self.inputs,
            **({"model": {"name": model.model, "method": model.method}} if (model := self.plan.model) is not None else {}),
            "loaded_terms": loaded_sources(self.plan.loaded_terms),
            "refused": sorted((_without_folder(item) for item in told_as_data(self.report.refused)), key=str),
            "noted": sorted((_without_folder(item) for item in told_as_data(self.report.noted)), key=str),
            "failed": sorted(self.report.failed_as_data(), key=str),
        }

    def _fail_if_strict(self) -> None:
        refused, failed = self.report.refused, self.report.failed
        if self.plan.strict and (refused or failed):
            lines = [*listed("refused", [str(r) for r in refused]), *listed("proposer broke off", [f"{f.document}, {f.proposer}: {f.error}" for f in failed])]
            raise SourcesRefused("\n".join(["under --strict nothing may be refused; no release was made", *lines]))


def _drug(document: Document, terminology: Terminology) -> str | None:
    """The name of the drug a document speaks of, or None where no claims are read of it."""
    subject = subject_of(document, terminology)
    return subject.name if subject is not None else None


def _origin(name: str, sources: Sequence[Path]) -> Path:
    """The source that a file came from."""
    return next(s for s in sources if name == str(s) or name.startswith((f"{s}/", f"{s}!")))


def _without_folder(item: dict[str, Any]) -> dict[str, Any]:
    """A refusal or reservation without the folder the source lay in: a release names no paths of the machine it was built on."""
    archive, _, member = str(item["source"]).partition("!")
    return {**item, "source": Path(archive).name + (f"!{member}" if member else "")}


def _version() -> str:
    try:
        return metadata.version("pharmgraph-cds")
    except metadata.PackageNotFoundError:
        return "uninstalled"
