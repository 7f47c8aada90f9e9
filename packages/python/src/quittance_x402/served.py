"""Lets each payment have one answer, over all processes that share a store."""

from __future__ import annotations

import os
import threading
import uuid
from collections.abc import Callable
from typing import Protocol

from .stores import ServedStore, clock

SERVED = "served"
_POLL_S = 0.05
_LEASES = 3
"""An answer of another process counts as lost after this many times the time that an answer takes."""


class Waits(Protocol):
    """How a client waits and calls its store: in a thread of its own, or at once."""

    async def sleep(self, seconds: float) -> None: ...

    async def call(self, function: Callable[..., object], *args: object) -> object: ...


class Served:
    """An answer is marked before it is sent. It counts as sent when this process lives `answer_within_ms` later: a crash in between leaves
    the mark of a dead process, and the payment may be answered once more. With 0 it counts at once.
    """

    def __init__(self, store: ServedStore, answer_within_ms: int, waits: Waits, now: Callable[[], int] = clock) -> None:
        self._store = store
        self._answer_within_ms = answer_within_ms
        self._waits = waits
        self._now = now
        self._id = uuid.uuid4()
        self._answering: set[str] = set()

    def _name(self) -> str:
        """The name of this process in marks. A fork has the same object, and a name of its own."""
        return f"{self._id}-{os.getpid()}"

    async def is_open(self, key: str) -> bool:
        """Whether a payment may still be answered. Waits while another process may be answering it."""
        return not self._is_answering(key) and await self._settled_value(key) != SERVED

    async def take(self, key: str) -> bool:
        """Takes the answer of a payment, before it is sent. False if it was taken before."""
        before = await self._settled_value(key)
        if before == SERVED:
            return False
        mark = SERVED if self._answer_within_ms == 0 else f"{self._name()} {self._now()}"
        if not await self._waits.call(self._store.replace, key, before, mark):
            return False
        if mark != SERVED:
            self._answering.add(f"{self._name()} {key}")
            threading.Timer(self._answer_within_ms / 1_000, self._finish, (key, mark)).start()
        return True

    def _is_answering(self, key: str) -> bool:
        return f"{self._name()} {key}" in self._answering

    def _finish(self, key: str, mark: str) -> None:
        # A failed write leaves the mark: another process then answers once more, none takes the money again.
        try:
            self._store.replace(key, mark, SERVED)
        finally:
            self._answering.discard(f"{self._name()} {key}")

    async def _settled_value(self, key: str) -> str | None:
        """The value to replace, or `served`."""
        while True:
            value = await self._waits.call(self._store.get, key)
            if value is None or value == SERVED:
                return None if value is None else SERVED
            by, _, since = str(value).partition(" ")
            if by == self._name() or self._is_answering(key):
                return SERVED
            if self._now() - int(since or 0) >= _LEASES * self._answer_within_ms:
                return str(value)
            await self._waits.sleep(_POLL_S)


