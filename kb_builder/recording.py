"""A build's entries in the ledger, when it keeps one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence

from kb_builder.errors import SourceChanged
from kb_builder.ingest.shape import SourceShape, changes
from kb_builder.ledger.ledger import Ledger, Recording
from kb_builder.plan import BuildPlan
from ontology.model.claims import Claim
from ontology.text.document import Document


@contextlib.contextmanager
def recording_of(plan: BuildPlan, shapes: Mapping[str, SourceShape]) -> Iterator[Recording | None]:
    """The ledger's recording of this run, or None without a ledger. Raises SourceChanged when a source is not what it was."""
    if plan.ledger is None:
        yield None
        return
    with contextlib.closing(Ledger(plan.ledger, create=True)) as ledger:
        before = {name: ledger.last_shape(name) for name in shapes}
        changed = [line for name, shape in shapes.items() if (old := before[name]) is not None for line in changes(name, old, shape)]
        if changed and not plan.accept_changed:
            raise SourceChanged("\n".join([*changed, "no release was made; if this is meant, build again with --accept-changed"]))
        with ledger.recording(plan.policy.key, shapes) as recording:
            yield recording


def recorded(documents: Sequence[Document], claims: Iterator[Claim], recording: Recording | None) -> Iterator[Claim]:
    """The claims of these documents, recorded on the way."""
    if recording is None:
        return claims
    for document in documents:
        recording.read(document.set_id, document.version.key)
    return recording.record(claims)
