"""The shapes of the API as a reader sees them: the keys of each, and what their values may be."""

from __future__ import annotations

import json
from typing import NamedTuple

from rules import Text
from tutor.api.shapes import schemas
from tutor.api.vocabulary import Schema


class Row(NamedTuple):
    """A key of a shape. kind: its values, in a notation that needs no words."""

    key: str
    kind: str
    meaning: Text | None


def outline() -> dict[str, list[Row]]:
    """The shapes by name, each with its keys."""
    return {name: rows(schema) or [Row("", kind_of(schema), None)] for name, schema in schemas().items()}


def rows(schema: Schema, before: str = "") -> list[Row]:
    """The keys of an object, those of objects inside it after dots; `?` where one may be missing."""
    found: list[Row] = []
    for key, inner in schema.get("properties", {}).items():
        name = f"{before}{key}"
        mark = "" if key in schema.get("required", ()) else "?"
        found.append(Row(name + mark, kind_of(inner), inner.get("description")))
        items = inner.get("items", inner)
        # A house rule is not looked into: the page lists them all.
        if items.get("properties") and key != "options":
            found += rows(items, f"{name}[]." if "items" in inner else f"{name}.")
    return found


def kind_of(schema: Schema) -> str:
    """What a schema allows, in short."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        values = [json.dumps(value, ensure_ascii=False) for value in schema["enum"]]
        if len(values) > 16:
            values[2:-1] = ["…"]
        return " | ".join(values)
    kinds = schema.get("type", "any")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    said = []
    for kind in kinds:
        if kind == "array":
            inner = kind_of(schema.get("items", {}))
            said.append(
                "[]" if schema.get("maxItems") == 0 else f"({inner})[]" if " | " in inner else f"{inner}[]"
            )
        elif kind == "integer" and "maximum" in schema:
            said.append(f"{schema['minimum']}–{schema['maximum']}")
        else:
            said.append(kind)
    return " | ".join(said)
