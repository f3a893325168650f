"""The build: from sources to a release that appears only when it is whole."""

from __future__ import annotations

import sqlite3

from kb_builder.errors import OutputError
from kb_builder.fingerprint import fingerprint, unchanged
from kb_builder.ingest.site_terms import open_terms
from kb_builder.plan import BuildPlan
from kb_builder.progress import Reporter
from kb_builder.propose.model.asking import check_model
from kb_builder.propose.registry import PROPOSERS
from kb_builder.publish.compile import check_output, move_into_place
from kb_builder.recording import recording_of
from kb_builder.report import BuildReport
from kb_builder.stages import Run
from kb_builder.workspace import Workspace, working_folder
from ontology.model.errors import StoreError


def build(plan: BuildPlan, reporter: Reporter) -> BuildReport:
    """The report of a build whose release stands at `plan.out`. Raises BuilderError; then nothing new is left anywhere.

    A whole release that was built from the very same sources, policy and code stays as it is; with a ledger every run is made and recorded.
    """
    check_output(plan.out)
    if plan.model is not None:
        check_model(plan.model)
    try:
        inputs = fingerprint(plan.sources, plan.policy, plan.loaded_terms)
        if plan.loaded_terms is not None:
            open_terms(plan.loaded_terms)
        standing = unchanged(plan.out, inputs) if plan.proposers is PROPOSERS and plan.ledger is None and plan.model is None else None
        if standing is not None and not (plan.strict and (standing["refused"] or standing["failed"])):
            return BuildReport.of_manifest(standing, plan.out)
        with working_folder(plan.out.absolute()) as folder, Workspace(folder, create=True) as workspace:
            run = Run(plan, workspace, reporter, inputs)
            run.first_pass()
            with recording_of(plan, run.shapes) as recording:
                finished = run.second_pass(folder / "release", recording)
            move_into_place(finished, plan.out.absolute())
            return run.report
    except StoreError as e:
        raise OutputError(str(e)) from e
    except (OSError, sqlite3.Error) as e:
        raise OutputError(f"cannot write beside {plan.out}: {e}; make room on that disk or choose another place. Nothing was left behind") from e
