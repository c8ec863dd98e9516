"""``python3 dev.py cases DIR``: reference cases against our own statistics and scores, a line per check."""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from annotation.errors import Refused
from tests import cases_scores, cases_stats
from tests.cases_stats import Undefined, Unsupported

TOLERANCE = 1e-9


class Broken(Exception):
    """Our code, or the reading of the case, raised something that it should not."""


@dataclass(frozen=True, slots=True)
class Check:
    """``status``: ok, FAIL or unsupported. ``got``: a number, a list, "undefined" or "error: .."; ``why`` in words."""

    file: str
    case: str
    statistic: str
    params: dict[str, Any]
    expected: Any
    got: Any
    tolerance: float
    status: str
    why: str | None = None

    def line(self) -> str:
        return "\t".join([self.status, self.file, self.statistic, json.dumps(self.params, ensure_ascii=False),
                          _short(self.expected), _short(self.got if self.got is not None else self.why)])


def run(folder: Path) -> list[Check]:
    """Every check of every ``*.json`` below ``folder``, in the order of names."""
    return [check for file in sorted(folder.rglob("*.json")) for check in _of_file(file, str(file.relative_to(folder)))]


def _of_file(file: Path, name: str) -> Iterator[Check]:
    content = json.loads(file.read_text(encoding="utf-8"))
    if isinstance(content, dict) and content.get("schema") == "stats-case/1":
        yield from _of_statistics(content, name)
    elif isinstance(content, list) and all(isinstance(one, dict) and "metric" in one for one in content):
        for place, case in enumerate(content):
            yield from _of_scores(case, name, f"{case['metric']} {place}")
    else:
        yield Check(name, "", "", {}, "a file of cases", None, TOLERANCE, "FAIL",
                    "neither an object with schema stats-case/1 nor a list of objects with metric")


def _of_statistics(content: dict[str, Any], name: str) -> Iterator[Check]:
    data, before = content["data"], ""
    for check in content.get("checks", ()):
        params = dict(check.get("params") or {})
        for key, said in params.items():
            if isinstance(said, str) and "as above" in said:
                params[key] = before  # the disagreement that an earlier check of this case states
            elif isinstance(said, str) and "disagreement" in said:
                before = said
        yield _statistic(name, content["id"], check["statistic"], params, data, check["expected"],
                         check.get("tolerance", TOLERANCE))
    if data["format"] == "edge_cases":
        for case in data["cases"]:
            said = {key: value for key, value in case.items() if key not in ("name", "ratings", "expect", "reason")}
            table = {"format": "ratings", "values": case["ratings"], **said}
            for statistic, said in case["expect"].items():
                for params, wanted in _conditions(said):
                    yield _statistic(name, case["name"], statistic, {**case.get("params", {}), **params}, table, wanted,
                                     TOLERANCE)


def _conditions(said: Any) -> list[tuple[dict[str, Any], Any]]:
    """"1.0 only if the question declares >= 2 categories" is two checks: undefined without, the number with them."""
    found = re.fullmatch(r"(-?[\d.]+) only if the question declares >= (\d+) categories", str(said))
    if found is None:
        return [({}, said)]
    return [({}, "undefined"), ({"categories": int(found.group(2))}, float(found.group(1)))]


def _statistic(file: str, case: str, statistic: str, params: dict[str, Any], data: dict[str, Any], expected: Any,
               tolerance: float) -> Check:
    got, why = _computed(lambda: cases_stats.compute(statistic, data, params))
    return _check(file, case, statistic, params, expected, got, tolerance, why)


def _of_scores(case: dict[str, Any], file: str, name: str) -> Iterator[Check]:
    found, why = _computed(lambda: cases_scores.compute(case))
    tolerance = case.get("tolerance", TOLERANCE)
    for part, expected in case["expected"].items():
        if isinstance(found, dict):
            got = found.get(part, Unsupported)
            yield _check(file, name, case["metric"], {"part": part}, expected, got, tolerance,
                         why or f"the scorer does not report {part}")
        else:
            yield _check(file, name, case["metric"], {"part": part}, expected, found, tolerance, why)


def _computed(function: Any) -> tuple[Any, str | None]:
    try:
        return function(), None
    except Unsupported as fault:
        return Unsupported, str(fault) or "not built yet"
    except Undefined as fault:
        return "undefined", str(fault)
    except Refused as fault:
        return f"error: {fault}", str(fault)
    except Exception as fault:  # one check that breaks must not hide the others
        return Broken, f"{type(fault).__name__}: {fault}"


def _check(file: str, case: str, statistic: str, params: dict[str, Any], expected: Any, got: Any, tolerance: float,
           why: str | None) -> Check:
    if got is Unsupported:
        return Check(file, case, statistic, params, expected, None, tolerance, "unsupported", why)
    if got is Broken:
        return Check(file, case, statistic, params, expected, None, tolerance, "FAIL", why)
    good = _agrees(expected, got, tolerance)
    return Check(file, case, statistic, params, expected, got, tolerance, "ok" if good else "FAIL", why)


def _agrees(expected: Any, got: Any, tolerance: float) -> bool:
    if isinstance(expected, str) or isinstance(got, str):
        for word in ("error", "undefined"):  # a reason may follow
            if str("undefined" if expected is None else expected).startswith(word):
                return str(got).startswith(word)
        return bool(expected == got)
    if isinstance(expected, (list, tuple)):
        return isinstance(got, (list, tuple)) and len(expected) == len(got) and all(
            _agrees(one, other, tolerance) for one, other in zip(expected, got, strict=True))
    if expected is None or got is None or isinstance(expected, bool):
        return expected is got
    return math.isclose(got, expected, rel_tol=0.0, abs_tol=tolerance)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    return " ".join(text.split())[:200]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="dev.py cases", description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    if not args.folder.is_dir():
        print(f"{args.folder} is no folder", file=sys.stderr)
        return 2
    checks = run(args.folder)
    if not checks:
        print(f"{args.folder} holds no cases", file=sys.stderr)
        return 2
    counts = {status: sum(check.status == status for check in checks) for status in ("ok", "FAIL", "unsupported")}
    if args.json:
        print(json.dumps({"passed": counts["ok"], "failed": counts["FAIL"], "unsupported": counts["unsupported"],
                          "checks": [asdict(check) for check in checks]}, ensure_ascii=False, allow_nan=False))
    else:
        for check in checks:
            print(check.line())
        print(f"{counts['ok']} passed, {counts['FAIL']} failed, {counts['unsupported']} unsupported")
    return 0 if counts["ok"] == len(checks) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
