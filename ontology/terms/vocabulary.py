"""Routes and dose forms: canonical names, and whether a product given so acts on the whole body."""

from __future__ import annotations

from collections.abc import Iterable

from ontology.terms.entries import Word
from ontology.terms.names import name_key, singular_key


class Vocabulary:
    """Look-ups over the route and form words of a terminology."""

    def __init__(self, words: Iterable[Word]) -> None:
        self._routes: dict[str, Word] = {}
        self._forms: dict[str, Word] = {}
        for word in words:
            if word.table == "route":
                self._routes.setdefault(singular_key(name_key(word.text)), word)
            elif word.table == "form":
                self._forms.setdefault(singular_key(name_key(word.text)), word)

    def route(self, text: str | None) -> str | None:
        """The canonical route that the text names, or None."""
        word = _find(self._routes, text)
        return word.value if word else None

    def form(self, text: str | None) -> str | None:
        """The canonical dose form that the text names, or None."""
        word = _find(self._forms, text)
        return word.value if word else None

    def route_of_form(self, form: str | None) -> str | None:
        """The only route a form is given by, or None where several are possible."""
        word = _find(self._forms, form)
        return word.traits[0] or None if word else None

    def systemic(self, route: str | None, form: str | None) -> bool | None:
        """Whether the drug acts on the whole body, decided by the route, else by the form; None where neither decides."""
        by_route = _find(self._routes, route)
        if by_route is not None and by_route.traits[0]:
            return by_route.traits[0] == "yes"
        by_form = _find(self._forms, form)
        if by_form is not None and by_form.traits[1]:
            return by_form.traits[1] == "yes"
        return None


def _find(index: dict[str, Word], text: str | None) -> Word | None:
    return index.get(singular_key(name_key(text))) if text else None
