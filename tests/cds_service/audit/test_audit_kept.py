import gc
import weakref

from cds_service.audit.kept import MOST_KEPT, kept_with
from cds_service.audit.knowledge import entities_named
from cds_service.audit.profile.notes import condition_names
from ontology.model.entities import EntityType
from ontology.terms.terminology import Terminology


def test_a_value_is_worked_out_once_for_each_terminology_and_argument() -> None:
    class Terms:
        pass

    asked: list[tuple[object, int]] = []

    @kept_with
    def doubled(terms: Terms, number: int) -> int:
        asked.append((terms, number))
        return 2 * number

    one, other = Terms(), Terms()
    assert [doubled(one, 3), doubled(one, 3), doubled(one, 4), doubled(other, 3)] == [6, 6, 8, 6]
    assert asked == [(one, 3), (one, 4), (other, 3)]
    for number in range(MOST_KEPT):
        doubled(one, number)
    asked.clear()
    assert doubled(one, MOST_KEPT - 1) == 2 * (MOST_KEPT - 1)
    assert asked == []


def test_a_terminology_that_nobody_uses_any_more_is_gone() -> None:
    terms = Terminology.from_rows(row for row in Terminology.shipped().rows() if row[0] in ("file", "word"))
    condition_names(terms)
    entities_named(terms, ("asthma",), (EntityType.CONDITION,))
    alive = weakref.ref(terms)
    del terms
    gc.collect()
    assert alive() is None
