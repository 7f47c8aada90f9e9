"""Lets each payment have one answer, over all processes that share a store."""

from __future__ import annotations

import logging
import os
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable
from typing import Protocol

from .stores import ServedStore

SERVED = "served"
_POLL_S = 0.05
_LEASES = 3
"""An answer of another process counts as lost after this many times the time that an answer takes."""

_log = logging.getLogger(__name__)


class Waits(Protocol):
    """How a client waits and calls its store: in a thread of its own, or at once."""

    async def sleep(self, seconds: float) -> None: ...

    async def call(self, function: Callable[..., object], *args: object) -> object: ...


def _running() -> int:
    """Milliseconds of a clock that is never set. Its beginning means nothing."""
    return time.monotonic_ns() // 1_000_000


class _Later:
    """Calls a function with each key after the same delay, all in one thread. The thread ends when no key waits."""

    def __init__(self, delay_ms: int, function: Callable[[str], None]) -> None:
        self._delay_s = delay_ms / 1_000
        self._function = function
        self._lock = threading.Lock()
        self._keys: deque[tuple[float, str]] = deque()
        self._is_running = False

    def call(self, key: str) -> None:
        """Raises RuntimeError if the system has no thread left: then the key does not wait."""
        with self._lock:
            if not self._is_running:
                threading.Thread(target=self._run).start()
                self._is_running = True
            self._keys.append((time.monotonic() + self._delay_s, key))

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._keys:
                    self._is_running = False
                    return
                at, key = self._keys[0]
            time.sleep(max(0.0, at - time.monotonic()))
            self._keys.popleft()
            self._function(key)


class Served:
    """An answer is marked with this process before it is sent. It counts as sent when this process lives `answer_within_ms` later: a crash in
    between leaves the mark of a dead process, and the payment may be answered once more. With 0 it counts at once.
    """

    def __init__(self, store: ServedStore, answer_within_ms: int, waits: Waits, now: Callable[[], int] = _running) -> None:
        self._store = store
        self._answer_within_ms = answer_within_ms
        self._waits = waits
        self._now = now
        self._id = uuid.uuid4()
        self._answering: set[str] = set()
        self._lost: dict[str, str] = {}
        """Marks that their process did not finish, by payment."""
        self._later: dict[str, _Later] = {}
        """By the name of the process: a fork has no threads."""

    def _name(self) -> str:
        """The name of this process in marks. A fork has the same object, and a name of its own."""
        return f"{self._id}-{os.getpid()}"

    async def is_open(self, key: str) -> bool:
        """Whether a payment may still be answered. Waits while another process may be answering it."""
        return not self._is_answering(key) and await self._settled_value(key) != SERVED

    async def take(self, key: str) -> bool:
        """Takes the answer of a payment, before it is sent. False if it was taken before."""
        before = await self._settled_value(key)
        self._lost.pop(key, None)
        if before == SERVED:
            return False
        mark = SERVED if self._answer_within_ms == 0 else self._name()
        if not await self._waits.call(self._store.replace, key, before, mark):
            return False
        if mark != SERVED:
            self._answering.add(f"{mark} {key}")
            later = self._later.setdefault(mark, _Later(self._answer_within_ms, self._finish))
            try:
                later.call(key)
            except RuntimeError:
                # Without a thread the answer counts at once.
                await self._waits.call(self._finish, key)
        return True

    def _is_answering(self, key: str) -> bool:
        return f"{self._name()} {key}" in self._answering

    def _finish(self, key: str) -> None:
        try:
            self._store.replace(key, self._name(), SERVED)
        except Exception:
            # The mark remains: another process then answers once more, none takes the money again.
            _log.warning("an answer could not be noted as sent", exc_info=True)
        finally:
            self._answering.discard(f"{self._name()} {key}")

    async def _settled_value(self, key: str) -> str | None:
        """The value to replace, or `served`."""
        # Only this process's clock counts how long it sees a mark: that of another machine may differ.
        seen: tuple[object, int] = (None, 0)
        while True:
            value = await self._waits.call(self._store.get, key)
            if value is None or value == SERVED:
                return None if value is None else SERVED
            if value == self._name() or self._is_answering(key):
                return SERVED
            if value == self._lost.get(key):
                return str(value)
            if seen[0] != value:
                seen = (value, self._now())
            if self._now() - seen[1] >= _LEASES * self._answer_within_ms:
                self._lost[key] = str(value)
            else:
                await self._waits.sleep(_POLL_S)
