"""How a client waits and calls what blocks: with an event loop, or without one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import httpx

_TIMEOUT_S = 10.0

_Result = TypeVar("_Result")


class Threads:
    """Waits in the event loop, and calls the store in a thread: a store writes to the disk."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def call(self, function: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.to_thread(function, *args)

    async def post(self, url: str, body: Any) -> httpx.Response:
        async with httpx.AsyncClient(timeout=_TIMEOUT_S) as client:
            return await client.post(url, json=body)


class AtOnce:
    """Waits in the calling thread: what it returns never suspends."""

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    async def call(self, function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    async def post(self, url: str, body: Any) -> httpx.Response:
        return httpx.post(url, json=body, timeout=_TIMEOUT_S)


def run(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """The result of a coroutine that never suspends."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    coroutine.close()
    raise RuntimeError("a coroutine without an event loop was suspended")
