"""Errors of the ontology package.

OntologyError
├── InvalidClaim          a claim that breaks a construction rule (no span, empty quote, unknown predicate)
├── InvalidGuard          a guard whose bounds, axis or scale make no sense
├── InvalidQuantity       an unknown unit, or two dimensions that do not convert
├── InvalidIdentifier     an id that was not minted by `identifiers`
├── InvalidDocument       a document or section whose offsets do not stand
├── TerminologyError      a terminology file that cannot be read, or contradicts itself
└── StoreError
    ├── ReleaseDamaged    a release that is truncated, altered or of another format
    ├── MissingParameter  a query template fired without one of its parameters
    └── GraphUnavailable  the graph engine does not answer
"""

from __future__ import annotations


class OntologyError(Exception):
    """Root of the ontology's error tree."""


class InvalidClaim(OntologyError):
    """A claim that may not exist."""


class InvalidGuard(OntologyError):
    """A guard that cannot be evaluated."""


class InvalidQuantity(OntologyError):
    """A unit that is not in the table, or a conversion between two dimensions."""


class InvalidIdentifier(OntologyError):
    """An identifier that does not have the shape `type:system:code`."""


class InvalidDocument(OntologyError):
    """A document whose sections or offsets do not stand."""


class TerminologyError(OntologyError):
    """A terminology file that cannot be read."""


class StoreError(OntologyError):
    """Root of what the stores raise."""


class ReleaseDamaged(StoreError):
    """A release that is truncated, altered or written by another format version."""


class MissingParameter(StoreError):
    """A query template was fired without one of its parameters."""


class GraphUnavailable(StoreError):
    """The graph engine did not answer."""
