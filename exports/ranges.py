"""Makes the lines of a big release on several processors: each process makes every so many ranges of its items.

The nonce of a row follows from its number in its file. So a process makes the rows of a range, tells how many there are
for each file, is told how many came before them, and makes the lines. They arrive here in the order of the items.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import Any

from sqlalchemy.orm import Session

from annotation.collecting import no_collecting
from annotation.errors import Refused
from annotation.store.opening import open_store
from annotation.store.project import store_of
from exports.frozen import Frozen, StoredItems, read
from exports.rows import Rows, fitting
from exports.shapes import WITH_NONCE
from exports.sinks import Gathered, Lines
from exports.taking import PRIVATE, PUBLIC, SALTS, Taken, counted
from exports.tombstones import Gone

AT_LEAST = 20_000  # items; with fewer the start of a process takes longer than what it saves
MOST = 4  # processes: one has to write what all others make
LOOK = 0.1  # seconds between two looks at whether it was cancelled
EACH, LEAST = 4_000, 250  # items of a range, at most and where texts are long
TEXT = 16_000_000  # characters of a range's items
Range = tuple[int, str, str, int]  # its number, between which public ids (after one, up to the other), and its items


class Lost(Exception):
    """A process cannot be had, or has ended: one alone does the work instead, and meets the fault if it is one."""


@dataclass(frozen=True, slots=True)
class Made:
    """What was made of a range. ``media``: the pictures that it names."""

    items: int
    rows: Counter[str]
    lines: dict[str, Lines]
    taken: Taken
    media: set[str | None]


def processes_for(session: Session, frozen: Frozen, wanted: int | None) -> int:
    """How many processes to make the lines in; 1: this one. ``wanted`` None: as many as there are processors."""
    store = store_of(session)
    if not isinstance(frozen.items, StoredItems) or not store.is_open_to_others(session) or hasattr(sys, "frozen"):
        return 1
    if wanted is not None:
        return min(wanted, len(frozen.items))
    return 1 if len(frozen.items) < AT_LEAST or _is_a_script() else min(MOST, _processors())


def _is_a_script() -> bool:
    """Whether a new process would run somebody's file again, all that it does included: such asks for processes."""
    main = sys.modules["__main__"]
    return getattr(main, "__spec__", None) is None and str(getattr(main, "__file__", "")).endswith(".py")


def _processors() -> int:
    """Those that this process may use."""
    mine = getattr(os, "sched_getaffinity", None)
    return len(mine(0)) if mine is not None else os.cpu_count() or 1


def made_by(processes: int, session: Session, frozen: Frozen, gone: Gone, look: Callable[[], None]) -> Generator[Made]:
    """All ranges in their order. ``look`` is called many times a second, and may raise. Raises Lost."""
    folder = store_of(session).folder
    assert isinstance(frozen.items, StoredItems)
    assert folder is not None
    context, pipes, begun = get_context("spawn"), list[Any](), list[Any]()
    every = _ranges(frozen.items.ids(), processes, fitting(TEXT, frozen.items.mean_length(), LEAST, EACH))
    try:
        for n in range(processes):
            mine, theirs = context.Pipe()
            pipes.append(mine)
            with theirs:
                one = context.Process(target=serve, daemon=True, args=(
                    theirs, str(folder.absolute()), frozen.version, gone, every[n::processes]))
                _start(one)
                begun.append(one)
        yield from _in_order(pipes, len(every), look)
    except (EOFError, OSError) as fault:
        raise Lost from fault
    finally:
        for pipe in pipes:
            pipe.close()
        for one in begun:
            one.terminate()
            one.join()


def _start(process: Any) -> None:
    try:
        process.start()
    except (OSError, RuntimeError, AssertionError) as fault:  # no room, or this one may have no processes of its own
        raise Lost from fault


def _ranges(ids: Sequence[str], processes: int, most: int) -> list[Range]:
    """Of equal size, so that all processes end at once."""
    n = min(len(ids), -(-len(ids) // (most * processes)) * processes)
    ends = [len(ids) * end // n for end in range(n + 1)]
    return [(number, ids[begin - 1] if begin else "", ids[end - 1], end - begin)
            for number, (begin, end) in enumerate(pairwise(ends))]


def _in_order(pipes: Sequence[Any], of: int, look: Callable[[], None]) -> Iterator[Made]:
    counts, made = dict[int, Counter[str]](), dict[int, Made]()
    first: Counter[str] = Counter()
    told = done = 0
    while done < of:
        for pipe in wait(pipes, LOOK):
            said: tuple[int, Any] = pipe.recv()  # type: ignore[union-attr, call-arg, assignment]
            (made if isinstance(said[1], Made) else counts)[said[0]] = said[1]
        while told in counts:
            pipes[told % len(pipes)].send(first)
            first.update(counts.pop(told))
            told += 1
        while done in made:
            yield made.pop(done)
            done += 1
        look()


def serve(pipe: Any, project: str, version: str, gone: Gone, ranges: Sequence[Range]) -> None:
    """The work of one process, which ends where nobody listens any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever began it is told, and ends it
    try:
        with open_store(project, read_only=True) as store, store.read() as session, no_collecting():
            frozen = read(session, version)
            assert isinstance(frozen.items, StoredItems)
            rows = Rows(session, frozen)
            items = [frozen.items.between(after, last) for _, after, last, _ in ranges]
            walk = rows.walk(chain.from_iterable(items))  # many ranges are read at once
            for number, _, _, size in ranges:
                some = list(islice(walk, size))
                counts = counted(some)
                pipe.send((number, counts))
                files = _files(bytes.fromhex(frozen.salt), gone, pipe.recv())
                taken = Taken()
                for one in some:
                    taken.take(files.__getitem__, rows, gone, one)
                pipe.send((number, Made(len(some), counts, {path: file.lines() for path, file in files.items()}, taken,
                                        {media["sha256"] for one in some for media in one.item["media"]})))
            pipe.recv()  # until the other end is closed
    except (EOFError, OSError, Refused):
        return


def _files(key: bytes, gone: Gone, first: Counter[str]) -> dict[str, Gathered]:
    return {path: Gathered(path, key=key if path in WITH_NONCE else b"", gone=gone if path in WITH_NONCE else None,
                           first=first[path]) for path in (*PUBLIC, *PRIVATE, SALTS)}
