"""What claims say beyond their text, as lines for people and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb_builder.learn.grounding import Grounding, Unfounded


def grounding_lines(grounding: Grounding, *, examples: bool = True) -> Iterator[str]:
    """The rate, the faults by extractor, and with `examples` a few claims of each fault."""
    yield f"hallucination: {grounding.unfounded:,} of {grounding.claims:,} released claims say what their text does not ({grounding.rate:.4%})"
    for (extractor, fault), count in sorted(grounding.by_extractor.items()):
        yield f"  {count:6}  {extractor}: {fault.value}"
    for fault in Unfounded:
        for finding in grounding.examples.get(fault, ()) if examples else ():
            claim = finding.claim
            yield f"  {fault.value}: {finding.what}"
            yield f"    {claim.id}, {claim.predicate}, {claim.provenance.extractor}, label {claim.document}, {claim.statement.section}"
            yield f"    {' '.join(claim.statement.quote.split())}"


def grounding_data(grounding: Grounding) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "claims": grounding.claims,
        "unfounded": grounding.unfounded,
        "rate": grounding.rate,
        "faults": {fault.name.lower(): grounding.faults[fault] for fault in Unfounded},
        "extractors": [{"extractor": name, "fault": fault.name.lower(), "claims": count} for (name, fault), count in sorted(grounding.by_extractor.items())],
        "examples": [
            {"fault": fault.name.lower(), "what": f.what, "claim": f.claim.id, "document": f.claim.document, "quote": f.claim.statement.quote}
            for fault in Unfounded
            for f in grounding.examples.get(fault, ())
        ],
    }
