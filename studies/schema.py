"""The JSON Schema of studies, for editors: python -m studies.schema > resources/studies/schema.json."""

from __future__ import annotations

import json
import sys

from studies.model import Study


def schema_text() -> str:
    """The schema as JSON text, generated from the models."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Study.model_json_schema(by_alias=True)}
    return json.dumps(schema, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
