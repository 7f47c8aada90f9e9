"""Where a merchant keeps which payments it served."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import IO, Any, Protocol

try:
    import fcntl
except ImportError:
    # Windows
    import msvcrt

    fcntl = None  # type: ignore[assignment]

KEPT_MS = 24 * 60 * 60 * 1_000
"""How long a store must keep an entry, in milliseconds: far longer than a payment can be recovered."""

_PRUNED_EVERY_MS = 60 * 60 * 1_000
"""How often a store on the disk removes older entries, in milliseconds."""

_Line = tuple[str, str, int]


class ServedStore(Protocol):
    """Every process that serves payments shares one store. Its methods may be called from several threads."""

    def since(self) -> int:
        """The time since which it knows every served payment, in Unix milliseconds: the time at which it was made."""
        ...

    def get(self, key: str) -> str | None:
        """The value of a key; None if there is none."""
        ...

    def replace(self, key: str, before: str | None, after: str) -> bool:
        """Sets a key whose value is `before` (None: has none), in one step and on the disk. False if its value is another."""
        ...


def clock() -> int:
    """Unix milliseconds."""
    return time.time_ns() // 1_000_000


class MemoryStore:
    """Keeps served payments in this process. It survives lost answers, but no restart: for development."""

    def __init__(self, now: Callable[[], int] = clock) -> None:
        self._now = now
        self._since = now()
        self._lock = threading.Lock()
        self._entries: dict[str, tuple[str, int]] = {}

    def since(self) -> int:
        return self._since

    def get(self, key: str) -> str | None:
        with self._lock:
            return self._entries.get(key, (None, 0))[0]

    def replace(self, key: str, before: str | None, after: str) -> bool:
        with self._lock:
            if self._entries.get(key, (None, 0))[0] != before:
                return False
            # Removed first: a dict lists its keys in the order in which they came.
            self._entries.pop(key, None)
            self._entries[key] = (after, self._now())
            while self._now() - next(iter(self._entries.values()))[1] >= KEPT_MS:
                del self._entries[next(iter(self._entries))]
            return True


class FileStore:
    """Keeps served payments in a file, for one process: all stores of a path share what they know. A change is on the disk before it counts.

    Raises OSError if it cannot write there. Its methods raise RuntimeError while another process has the file.
    """

    def __init__(self, path: str | Path, now: Callable[[], int] = clock) -> None:
        self._now = now
        self._path = Path(path).resolve()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(self._path.parent, os.W_OK):
            raise PermissionError(f"{self._path.parent} cannot be written to")

    def since(self) -> int:
        return self._file().since()

    def get(self, key: str) -> str | None:
        return self._file().get(key)

    def replace(self, key: str, before: str | None, after: str) -> bool:
        return self._file().replace(key, before, after)

    def _file(self) -> _File:
        # Opened at first use: a server may load its program in several processes.
        file = _files.get(self._path)
        if file is None:
            with _opening:
                file = _files.get(self._path) or _File(self._path, self._now, _locked(self._path))
                _files[self._path] = file
        if file.pid != os.getpid():
            raise RuntimeError(f"{self._path} was opened before a fork: use RedisStore or SqlStore for several processes")
        return file


class _File:
    """What a process knows of its file."""

    def __init__(self, path: Path, now: Callable[[], int], lock: IO[str] | None = None) -> None:
        self.pid = os.getpid()
        self._now = now
        self._path = path
        self._held = lock
        self._lock = threading.Lock()
        lines = _lines_of(path)
        # The key of the first line is empty, and its time is that of the file.
        self._since = next((at for key, _, at in lines if key == ""), now())
        self._entries: dict[str, _Line] = {}
        for line in lines:
            self._put(line)
        self._entries.pop("", None)
        self._prune()

    def since(self) -> int:
        return self._since

    def get(self, key: str) -> str | None:
        with self._lock:
            held = self._entries.get(key)
            return held[1] if held else None

    def replace(self, key: str, before: str | None, after: str) -> bool:
        with self._lock:
            held = self._entries.get(key)
            if (held[1] if held else None) != before:
                return False
            if self._now() - self._pruned_at >= _PRUNED_EVERY_MS:
                self._prune()
            line = (key, after, self._now())
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(_written(line))
                file.flush()
                os.fsync(file.fileno())
            self._put(line)
            return True

    def _put(self, line: _Line) -> None:
        # Removed first: a dict lists its keys in the order in which they came.
        self._entries.pop(line[0], None)
        self._entries[line[0]] = line

    def _prune(self) -> None:
        at = self._now()
        self._entries = {key: line for key, line in self._entries.items() if at - line[2] < KEPT_MS}
        _rewrite(self._path, [("", "", self._since), *self._entries.values()])
        self._pruned_at = at


_files: dict[Path, _File] = {}
_opening = threading.Lock()


def _locked(path: Path) -> IO[str]:
    """Makes this process the only one that writes a file. The system ends the lock with the process."""
    lock = open(path.with_name(f"{path.name}.lock"), "w", encoding="utf-8")
    try:
        if fcntl:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError as cause:
        lock.close()
        raise RuntimeError(f"another process has {path} open: use RedisStore or SqlStore for several processes") from cause
    return lock


def _written(line: _Line) -> str:
    """The text of a line. It begins a new one, whatever a failed write left behind."""
    return "\n" + json.dumps(line, separators=(",", ":")) + "\n"


def _lines_of(path: Path) -> list[_Line]:
    """The lines of the file. A line that a crash cut off was not on the disk: it never counted."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    return [line for line in map(_line_in, text.split("\n")) if line is not None]


def _line_in(text: str) -> _Line | None:
    try:
        key, value, at = json.loads(text)
    except (ValueError, TypeError):
        return None
    return (key, value, at) if isinstance(key, str) and isinstance(value, str) and isinstance(at, int) else None


def _rewrite(path: Path, lines: list[_Line]) -> None:
    """Writes the file anew in one step, without old and cut lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.new")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.writelines(map(_written, lines))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


class SqlStore:
    """Keeps served payments in a table of SQLite or PostgreSQL, for any number of processes. It makes the table at first use.

    `connect` opens a connection of DB-API 2.0, such as `lambda: sqlite3.connect("served.db")`; for psycopg `placeholder` is "%s".
    """

    def __init__(
        self,
        connect: Callable[[], Any],
        *,
        placeholder: str = "?",
        table: str = "quittance_served",
        now: Callable[[], int] = clock,
    ) -> None:
        if not re.fullmatch(r"[a-z_][a-z0-9_.]*", table):
            raise ValueError("the name of a table has small letters, digits and underscores")
        self._connect = connect
        self._placeholder = placeholder
        self._table = table
        self._now = now
        self._is_made = False
        self._pruned_at = 0

    def since(self) -> int:
        return int(self._read("at", "since"))

    def get(self, key: str) -> str | None:
        return self._read("value", key)

    def replace(self, key: str, before: str | None, after: str) -> bool:
        if before is None:
            return self._insert(key, after) == 1
        changed = self._run("UPDATE {table} SET value = ?, at = ? WHERE key = ? AND value = ?", (after, self._now(), key, before))
        return changed[0] == 1

    def _read(self, column: str, key: str) -> Any:
        rows = self._run(f"SELECT {column} FROM {{table}} WHERE key = ?", (key,))[1]
        return rows[0][0] if rows else None

    def _insert(self, key: str, value: str) -> int:
        return self._run("INSERT INTO {table} (key, value, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (key, value, self._now()))[0]

    def _make(self) -> None:
        self._execute("CREATE TABLE IF NOT EXISTS {table} (key text PRIMARY KEY, value text NOT NULL, at bigint NOT NULL)")
        self._execute("INSERT INTO {table} (key, value, at) VALUES ('since', '', ?) ON CONFLICT DO NOTHING", (self._now(),))
        self._is_made = True

    def _run(self, text: str, values: tuple[Any, ...]) -> tuple[int, list[Any]]:
        if not self._is_made:
            self._make()
        if self._now() - self._pruned_at >= _PRUNED_EVERY_MS:
            self._pruned_at = self._now()
            self._execute("DELETE FROM {table} WHERE key <> 'since' AND at < ?", (self._now() - KEPT_MS,))
        return self._execute(text, values)

    def _execute(self, text: str, values: tuple[Any, ...] = ()) -> tuple[int, list[Any]]:
        """Runs one statement in a transaction of its own. Returns the number of changed rows, and the rows that it read."""
        with closing(self._connect()) as connection:
            cursor = connection.cursor()
            cursor.execute(text.format(table=self._table).replace("?", self._placeholder), values)
            rows = cursor.fetchall() if cursor.description else []
            changed = cursor.rowcount
            connection.commit()
            return changed, rows


_REPLACE = """local value = redis.call('GET', KEYS[1])
if (value or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1"""


class RedisStore:
    """Keeps served payments in Redis, for any number of processes. Redis must write to its disk (`appendonly yes`).

    `command` sends one command: `redis.Redis.from_url("redis://localhost").execute_command`.
    """

    def __init__(
        self,
        command: Callable[..., Any],
        *,
        prefix: str = "quittance:served:",
        now: Callable[[], int] = clock,
    ) -> None:
        self._command = command
        self._prefix = prefix
        self._now = now

    def since(self) -> int:
        self._command("SET", f"{self._prefix}since", str(self._now()), "NX")
        return int(self._command("GET", f"{self._prefix}since"))

    def get(self, key: str) -> str | None:
        value = self._command("GET", f"{self._prefix}key:{key}")
        return value.decode() if isinstance(value, bytes) else value

    def replace(self, key: str, before: str | None, after: str) -> bool:
        return self._command("EVAL", _REPLACE, "1", f"{self._prefix}key:{key}", before or "", after, str(KEPT_MS)) == 1
