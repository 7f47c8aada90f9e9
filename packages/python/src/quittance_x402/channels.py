"""Payment channels of official servers, kept at the facilitator."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import httpx

from .config import create_facilitator_config
from .payment_key import field_of

if TYPE_CHECKING:
    from x402.mechanisms.evm.batch_settlement.server.storage import Channel, ChannelUpdate, ChannelUpdateResult

_KNOWN_MAX = 10_000
"""How many channels are remembered."""
_TURNS = 256
_PAUSE_S = 0.05
_PASSING = (408, 429, 500, 502, 503, 504)
"""Answers after which the same request may yet succeed."""
_NEEDS_EVM = "channels need the official package for EVM: pip install x402[evm]"


@dataclass(frozen=True)
class _Answer:
    status: int
    body: Any
    tag: str | None


@dataclass(frozen=True)
class _Known:
    """A channel as it was read, and its version; without one there is no such channel."""

    row: dict[str, Any] | None
    tag: str | None


@dataclass(frozen=True)
class _Lock:
    pending_id: str
    expires_at: int


@dataclass
class _Process:
    """What one process has: a fork shares no connection and no lock with its parent."""

    pid: int = field(default_factory=os.getpid)
    client: httpx.Client = field(default_factory=httpx.Client)
    guard: threading.Lock = field(default_factory=threading.Lock)
    known: dict[str, _Known] = field(default_factory=dict)
    turns: list[threading.RLock] = field(default_factory=lambda: [threading.RLock() for _ in range(_TURNS)])
    held: dict[str, _Lock] = field(default_factory=dict)
    writer: str = field(default_factory=lambda: str(uuid4()))
    numbers: count[int] = field(default_factory=count)

    def next_name(self) -> str:
        """The name of a write: so the facilitator knows this process's newest one again, whatever others write."""
        return f"{self.writer}.{next(self.numbers)}"


class QuittanceChannels:
    """Keeps the payment channels of official servers at the facilitator, which claims them.

    Pass it as `storage` to the batch-settlement scheme, and no `receiver_authorizer_signer`. One for each network. Each update is durable
    when it returns, and of two servers that update one channel one goes first. Every method raises when the facilitator does not answer or
    refuses: then the server does not serve. It blocks its thread, as the official interface does.

    Without `key` the `url`, or `FACILITATOR_URL`, must contain one. `answer_within_ms` is how long one request may take,
    `give_up_after_ms` how long an update or a reading may take with all its retries.
    """

    def __init__(
        self,
        *,
        network: str,
        key: str | None = None,
        url: str | None = None,
        answer_within_ms: int = 2_000,
        give_up_after_ms: int = 10_000,
    ) -> None:
        try:
            from x402.mechanisms.evm.batch_settlement.server import storage
        except ImportError as error:
            raise ImportError(_NEEDS_EVM) from error
        self._official = storage
        if key is not None or url is None:
            url = create_facilitator_config(key, url=url).url
        base = re.sub(r"/flash\Z", "", url.rstrip("/"))
        if not re.fullmatch(r"https?://[^/].*/v1/[A-Za-z0-9_-]+", base):
            raise ValueError("channels are kept below an API key: …/v1/<API_KEY>")
        self._base = f"{base}/channels/{network}"
        self._answer_within_s = answer_within_ms / 1_000
        self._give_up_after_s = give_up_after_ms / 1_000
        self._state = _Process()
        self._takes_locks = False

    def get(self, channel_id: str) -> Channel | None:
        """A channel as it is now; None if it is not kept here."""
        return self._channel_of(self._read(channel_id.lower(), self._deadline()).row)

    def list(self) -> list[Channel]:
        """All channels of the key on this network."""
        until = self._deadline()
        channels: list[Channel] = []
        cursor = ""
        while True:
            answer = self._ask("GET", f"?limit=100&cursor={cursor}", until)
            if answer.status != 200:
                raise _refused(answer)
            channels += [self._official.Channel.from_dict(_row_in(row)) for row in field_of(answer.body, "channels") or []]
            cursor = field_of(answer.body, "cursor") or ""
            if cursor == "":
                return channels

    def update_channel(self, channel_id: str, update: ChannelUpdate) -> ChannelUpdateResult:
        """Changes a channel by a function of what it is: None deletes it, the same object leaves it.

        The function is called again if somebody else changed the channel meanwhile.
        """
        key = channel_id.lower()

        def change(current: Channel | None) -> Channel | None:
            wanted = update(current)
            held = self._held_now(key)
            if held is None or wanted is None or wanted is current:
                return wanted
            return self._locked(wanted, held)

        with self._turn(key):
            return self._update(key, change)

    # The locks that this process holds. Official servers will take them; until then they write them in their rows.

    def acquire(self, channel_id: str, pending_id: str, ttl_ms: int) -> bool:
        """Takes the lock of a channel for so many milliseconds; False if another request has it."""
        key = channel_id.lower()
        self._takes_locks = True
        with self._turn(key):
            now = _now_ms()
            if self._held_now(key) is not None:
                return False
            lock = _Lock(pending_id, now + ttl_ms)
            is_taken = False

            def take(current: Channel | None) -> Channel | None:
                nonlocal is_taken
                pending = None if current is None else current.pending_request
                is_taken = pending is not None and pending.expires_at > now
                # Without a row there is nothing to write yet: the deposit that comes with the first request can be used once.
                return current if is_taken or current is None else self._locked(current, lock)

            result = self._update(key, take)
            if is_taken or _is_conflict(result):
                return False
            self._process().held[key] = lock
            return True

    def release(self, channel_id: str, pending_id: str) -> None:
        """Gives a lock back if this request has it."""
        key = channel_id.lower()

        def free(current: Channel | None) -> Channel | None:
            pending = None if current is None else current.pending_request
            if current is None or pending is None or pending.pending_id != pending_id:
                return current
            return replace(current, pending_request=None)

        with self._turn(key):
            held = self._process().held
            lock = held.get(key)
            if lock is not None and lock.pending_id == pending_id:
                del held[key]
            self._update(key, free)

    def is_held(self, channel_id: str, pending_id: str | None = None) -> bool:
        """Whether a request has the lock of a channel; with `pending_id`: whether this one has it."""
        channel = self.get(channel_id)
        written = None if channel is None else channel.pending_request
        holder = written if written is not None and written.expires_at > _now_ms() else self._held_now(channel_id.lower())
        return holder is not None and (pending_id is None or holder.pending_id == pending_id)

    def _held_now(self, key: str) -> _Lock | None:
        held = self._process().held
        lock = held.get(key)
        if lock is not None and lock.expires_at <= _now_ms():
            held.pop(key, None)
            return None
        return lock

    def _locked(self, channel: Channel, lock: _Lock) -> Channel:
        pending = self._official.PendingRequest(lock.pending_id, channel.signed_max_claimable, lock.expires_at)
        return replace(channel, pending_request=pending)

    def _process(self) -> _Process:
        if self._state.pid != os.getpid():
            self._state = _Process()
        return self._state

    def _turn(self, key: str) -> threading.RLock:
        """The updates of one channel run one after the other: this process need not race itself."""
        return self._process().turns[hash(key) % _TURNS]

    def _deadline(self) -> float:
        return time.monotonic() + self._give_up_after_s

    def _channel_of(self, row: dict[str, Any] | None) -> Channel | None:
        return None if row is None else self._official.Channel.from_dict(row)

    def _update(self, key: str, update: Callable[[Channel | None], Channel | None]) -> ChannelUpdateResult:
        until = self._deadline()
        known = self._process().known.get(key)
        is_remembered = known is not None
        if known is None:
            known = self._read(key, until)
        while time.monotonic() < until:
            current = self._channel_of(known.row)
            wanted = update(current)
            if wanted is not current:
                written = self._write(key, known.tag, wanted, until)
                if not isinstance(written, _Known):
                    return written
                known = written
            elif is_remembered:
                # A write is compared with the newest version; a decision not to write must be made about it.
                known = self._read(key, until)
            else:
                return self._official.ChannelUpdateResult(current, "unchanged")
            is_remembered = False
        if self._takes_locks:
            # The literals of this release have no such status.
            return self._official.ChannelUpdateResult(self._channel_of(known.row), "conflict")  # type: ignore[arg-type]
        raise RuntimeError("other processes kept changing the channel")

    def _read(self, key: str, until: float) -> _Known:
        answer = self._ask("GET", f"/{key}", until)
        if answer.status == 404:
            return self._remember(key, _Known(None, None))
        if answer.status != 200:
            raise _refused(answer)
        return self._remember(key, _Known(_row_in(answer.body), answer.tag))

    def _write(self, key: str, tag: str | None, wanted: Channel | None, until: float) -> _Known | ChannelUpdateResult:
        """Writes a channel, or deletes it; what is known instead if it was changed meanwhile."""
        # What is remembered may be wrong until the answer is here.
        self._forget(key)
        condition = {"if-none-match": "*"} if tag is None else {"if-match": tag}
        headers = {**condition, "idempotency-key": self._process().next_name()}
        if wanted is None:
            answer = self._ask("DELETE", f"/{key}", until, headers)
        else:
            answer = self._ask("PUT", f"/{key}", until, headers, wanted.to_dict())
        if answer.status == 412:
            row = field_of(answer.body, "channel")
            return self._remember(key, _Known(None, None) if row is None else _Known(_row_in(row), answer.tag))
        if wanted is None and answer.status in (200, 404):
            self._remember(key, _Known(None, None))
            return self._official.ChannelUpdateResult(None, "deleted")
        if answer.status != 200:
            raise _refused(answer)
        known = self._remember(key, _Known(_row_in(answer.body), answer.tag))
        return self._official.ChannelUpdateResult(self._channel_of(known.row), "updated")

    def _remember(self, key: str, known: _Known) -> _Known:
        process = self._process()
        with process.guard:
            process.known.pop(key, None)
            process.known[key] = known
            if len(process.known) > _KNOWN_MAX:
                del process.known[next(iter(process.known))]
        return known

    def _forget(self, key: str) -> None:
        process = self._process()
        with process.guard:
            process.known.pop(key, None)

    def _ask(self, method: str, path: str, until: float, headers: dict[str, str] | None = None, row: Any = None) -> _Answer:
        """Sends a request until it is answered: the same one, which its name lets happen once."""
        content = None if row is None else json.dumps(row)
        sent = {**(headers or {}), **({} if row is None else {"content-type": "application/json"})}
        pause = _PAUSE_S
        while True:
            answer = self._ask_once(method, path, sent, content)
            if isinstance(answer, _Answer) and answer.status not in _PASSING:
                return answer
            if time.monotonic() + pause >= until:
                if isinstance(answer, _Answer):
                    raise _refused(answer)
                raise RuntimeError("the facilitator does not answer") from answer
            time.sleep(pause)
            pause *= 2

    def _ask_once(self, method: str, path: str, headers: dict[str, str], content: str | None) -> _Answer | Exception:
        url, timeout = f"{self._base}{path}", self._answer_within_s
        try:
            response = self._process().client.request(method, url, headers=headers, content=content, timeout=timeout)
            return _Answer(response.status_code, response.json(), response.headers.get("etag"))
        except (httpx.HTTPError, ValueError) as error:
            return error


def _now_ms() -> int:
    return int(time.time() * 1_000)


def _is_conflict(result: ChannelUpdateResult) -> bool:
    status: str = result.status
    return status == "conflict"


def _refused(answer: _Answer) -> RuntimeError:
    return RuntimeError(f"the facilitator answered {answer.status}: {field_of(answer.body, 'error') or 'without a reason'}")


def _row_in(body: Any) -> dict[str, Any]:
    """The facilitator wrote it: a row without its charge is none."""
    if not isinstance(field_of(body, "chargedCumulativeAmount"), str):
        raise RuntimeError("the facilitator answered without a channel")
    return body
