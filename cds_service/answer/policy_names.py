"""The drugs, classes and conditions that a policy names, looked up in the terminology of the release it is to be used with."""

from __future__ import annotations

from collections.abc import Iterator

from cds_service.answer.errors import InvalidPolicy
from cds_service.answer.policy import Policy
from cds_service.audit.knowledge import Terms
from cds_service.audit.site import Shared
from ontology.model.entities import EntityType

_DRUGS = (EntityType.INGREDIENT, EntityType.DRUG_CLASS, EntityType.HERB)


def require_known(policy: Policy, terms: Terms) -> None:
    """Nothing, when the release knows every drug and class that the policy is for. Raises InvalidPolicy with the first that it does not."""
    strange = next(_unknown(policy, terms), None)
    if strange is not None:
        raise InvalidPolicy(f"{strange}, which this release does not know; write the name as `cds-service coverage` identifies it, or take the row out")


def words_only(policy: Policy, terms: Terms) -> tuple[str, ...]:
    """What the release does not know of the other sides that practice rules name: such words are met by the same words alone."""
    return tuple(f"practice rule {r.id}: {n!r} is met by these very words only" for r in policy.practice for n in r.others if not terms.lookup(n))


def _unknown(policy: Policy, terms: Terms) -> Iterator[str]:
    for t in policy.numbers.tolerances:
        if not terms.lookup(t.ingredient, Shared.INGREDIENT.types):
            yield f"tolerances.toml names the ingredient {t.ingredient!r}"
    for a in policy.numbers.allowances:
        if not terms.lookup(a.name, a.of.types):
            yield f"duplicates.toml names the {a.of} {a.name!r}"
    for r in policy.practice:
        for name in r.drugs:
            if not terms.lookup(name, _DRUGS):
                yield f"practice.toml, rule {r.id} names the drug {name!r}"
