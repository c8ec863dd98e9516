"""A PostgreSQL server for one run of the tests: made in a second, thrown away at the end."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from types import TracebackType

import psycopg

USER = "postgres"


@cache
def find_programs() -> Path | None:
    """The folder of initdb and pg_ctl (Debian keeps them off the PATH), or None."""
    found = shutil.which("initdb")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    for folder in ([Path(found).parent] if found else []) + folders:
        if (folder / "initdb").exists() and (folder / "pg_ctl").exists():
            return folder
    return None


class Cluster:
    """A running server, used as a context manager. It refuses to run as root, so root lends it to ``postgres``.

    ``durable`` keeps fsync on, for tests that kill it.
    """

    def __init__(self, *, durable: bool = False) -> None:
        programs = find_programs()
        assert programs is not None
        self._programs = programs
        # Not under pytest's own folder, which is closed to other users; a socket's path may have 107 bytes.
        self._folder = Path(tempfile.mkdtemp(prefix="gs-pg-"))
        runuser = shutil.which("runuser") or "/usr/sbin/runuser"
        self._as = [runuser, "-u", USER, "--"] if os.geteuid() == 0 else []
        self._durable = durable
        self._databases = 0
        self.port = _free_port()

    def __enter__(self) -> Cluster:
        if self._as:
            shutil.chown(self._folder, USER)
        self._call("initdb", "-D", self._data, "-A", "trust", "-U", USER, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self._folder}"
        if not self._durable:
            options += " -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c wal_init_zero=off"
        self._call("pg_ctl", "-D", self._data, "-l", str(self._folder / "log"), "-o", options, "-w", "start")
        # A program started for each statement would take ten times as long.
        self._connection = psycopg.connect(host="127.0.0.1", port=self.port, user=USER, dbname="postgres",
                                           autocommit=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
                 ) -> None:
        self._connection.close()
        self._call("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self._folder, ignore_errors=True)

    def new_database(self, *, template: str = "template1") -> str:
        """The URL of a new database, a copy of ``template`` (a migrated one saves the migration)."""
        self._databases += 1
        name = f"t{self._databases}"
        self.sql(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return self.url(name)

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://{USER}@127.0.0.1:{self.port}/{database}"

    def drop_database(self, url: str) -> None:
        """Take a database away again, whoever is still connected: hundreds of them are slow to remove at the end."""
        self.sql(f'DROP DATABASE "{url.rsplit("/", 1)[1]}" WITH (FORCE)')

    def sql(self, statement: str) -> None:
        """One statement outside of any transaction, as the superuser."""
        self._connection.execute(statement.encode())

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def _call(self, program: str, *args: str) -> None:
        path = self._programs / program
        command = [*self._as, str(path if path.exists() else program), *args]
        # pg_ctl's server keeps what it is given open, so a pipe here would never end.
        with open(self._folder.with_suffix(".out"), "w+") as out:
            code = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, cwd="/")
            out.seek(0)
            assert code == 0, f"{program} ended with {code}: {out.read()[-2000:]}"
        self._folder.with_suffix(".out").unlink()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
