"""Drives the release writer: what goes into a release, in an order that does not depend on how it was made."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from kb_builder.errors import OutputError
from ontology.model.entities import EntityType
from ontology.model.identifiers import EntityId
from ontology.store.manifest import MANIFEST
from ontology.store.writer import ReleaseWriter
from ontology.terms.terminology import Terminology
from ontology.text.document import Document, ProductInfo, SectionState


def check_output(path: Path) -> None:
    """Raises OutputError when a release cannot appear at this path: something else is there, or the folder cannot be written."""
    if path.exists() and not is_release(path) and not (path.is_dir() and not any(path.iterdir())):
        raise OutputError(f"--out {path}: exists and is not a release; choose another name, or remove it first")
    parent = path.absolute().parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise OutputError(f"--out {path}: {parent} cannot be made: {e.strerror or e}") from e
    if not os.access(parent, os.W_OK | os.X_OK):
        raise OutputError(f"--out {path}: no permission to write in {parent}")


def is_release(path: Path) -> bool:
    """True for a folder that holds a release."""
    return (path / MANIFEST).is_file()


def move_into_place(finished: Path, target: Path) -> None:
    """Gives the finished release its name; a release that was there before goes when the new one stands."""
    retired = finished.parent / "retired"
    if target.exists():
        target.rename(retired)
    try:
        finished.rename(target)
    except OSError:
        if retired.exists():
            retired.rename(target)
        raise
    shutil.rmtree(retired, ignore_errors=True)


def add_label_set(
    writer: ReleaseWriter, document: Document, subject: EntityId, ingredients: Iterable[EntityId], terminology: Terminology, *, read: bool = True
) -> None:
    """Stores which orders a document judges, with canonical routes and forms. Herbs of a combination stay in its composition only.

    A label that was not `read` whole, because a proposer broke off, has its sections marked so: what it does not say of a drug is then not known.
    """
    if not read:
        sections = tuple(replace(s, state=SectionState.UNREAD) if s.state is SectionState.TEXT else s for s in document.sections)
        document = replace(document, sections=sections)
    products = tuple(_canonical(product, terminology) for product in document.products)
    audited = tuple(i for i in ingredients if i.type == EntityType.INGREDIENT.value)
    writer.add_label_set(document, subject, audited, products=products)


def _canonical(product: ProductInfo, terminology: Terminology) -> ProductInfo:
    routes = tuple(dict.fromkeys(terminology.route(text) or text.casefold() for text in product.routes))
    form = (terminology.form(product.form) or product.form.casefold()) if product.form else None
    return replace(product, routes=routes, form=form)
