"""The JSON Schema of protocols, for editors: python -m annotation.protocol_schema > resources/protocols/schema.json."""

from __future__ import annotations

import json
import sys

from annotation.protocol_models import Protocol


def schema_text() -> str:
    """The schema as JSON text, generated from the models."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Protocol.model_json_schema(by_alias=True)}
    return json.dumps(schema, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
