"""What only people know of a data set (licence, authors, intended use): stated in a file, kept with each release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from sqlalchemy import select
from sqlalchemy.orm import Session

from annotation.canonical import check_text
from annotation.errors import N_, Refused, Where
from annotation.store.tables import Release

# Key -> what stands in the card before it. The first five go into CITATION.cff and LICENSE too.
KEYS: Mapping[str, str] = {
    "licence": "Licence", "authors": "Authors", "contact": "Contact", "doi": "DOI", "url": "Address",
    "motivation": "Why the data set was made", "sources": "Where the items come from",
    "consent": "Whose consent covers the items and the answers",
    "people": "Who the people are, and how they were found",
    "pay": "How they were paid", "intended_use": "Intended use", "misuse": "Uses to avoid",
    "limits": "Known limits", "maintenance": "Who keeps it, and until when"}
MOST = 4_000


def read_about(file: str | Path) -> dict[str, Any]:
    """The statements of a YAML file: texts under the names of ``KEYS``, authors as a list.

    Refused where the file cannot be read or says something that has no place.
    """
    where = Where(file=str(file))
    try:
        said = YAML(typ="safe", pure=True).load(Path(file).read_text(encoding="utf-8"))
    except OSError as fault:
        raise Refused(N_("{file} cannot be read: {why}"), code="no_file", file=str(file),
                      why=fault.strerror or "unknown", where=where) from None
    except MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        at = replace(where, line=mark.line + 1, column=mark.column + 1) if mark else where
        raise Refused(N_("{file} is no YAML file: {why}"), code="bad_value", file=str(file),
                      why=", ".join(str(part) for part in (fault.context, fault.problem) if part)[:200],
                      where=at) from None
    except UnicodeDecodeError:
        raise Refused(N_("{file} is not UTF-8 text"), code="not_unicode", file=str(file), where=where) from None
    except RecursionError:
        raise Refused(N_("{file} is no YAML file: {why}"), code="bad_value", file=str(file),
                      why="lists stand in lists too deep to be read", where=where) from None
    except (YAMLError, ValueError, OverflowError) as fault:  # also an escape beyond Unicode, a date that is none
        raise Refused(N_("{file} is no YAML file: {why}"), code="bad_value", file=str(file),
                      why=" ".join(str(fault).split())[:200], where=where) from None
    if not isinstance(said, dict):
        raise Refused(N_("{file} says nothing; it wants lines as 'licence: CC-BY-4.0'"), code="bad_value",
                      file=str(file), where=where)
    return {str(key): _checked(str(key), value, where) for key, value in said.items() if value not in (None, "", [])}


def _checked(key: str, value: Any, where: Where) -> Any:
    if key not in KEYS:
        raise Refused(N_("'{key}' is no statement about a data set; there are {known}"), code="bad_value", key=key[:80],
                      known=", ".join(KEYS), where=Where(file=where.file, key=key[:80]))
    if key == "authors":
        names = value if isinstance(value, list) else [value]
        return [_text(key, one, where) for one in names]
    return _text(key, value, where)


def _text(key: str, value: Any, where: Where) -> str:
    if isinstance(value, (dict, list)) or len(str(value)) > MOST:
        raise Refused(N_("'{key}' wants one text of at most {limit} characters"), code="bad_type", key=key, limit=MOST,
                      where=Where(file=where.file, key=key))
    return check_text(" ".join(str(value).split()))


def last_about(session: Session) -> dict[str, Any]:
    """What the newest release says; the next one says it too, where nothing else is stated."""
    facts = session.scalars(select(Release.facts_json).order_by(Release.created.desc(), Release.id.desc()).limit(1)
                            ).first()
    return dict((facts or {}).get("about", {}))
