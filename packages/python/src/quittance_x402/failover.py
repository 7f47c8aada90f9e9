"""Facilitator clients that ask another facilitator when one fails."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Generic, TypeVar, Union

import httpx
from x402.schemas import SettleResponse, SupportedResponse, VerifyResponse

from .evm_authorizations import AuthorizationReader, AuthorizationState
from .outcome import DUPLICATE, PENDING, is_undecided, outcome_of, reason_of, refusal, unwrap
from .payment_key import dumped, field_of, key_or_none
from .recovering import NamedFacilitator, NamedFacilitatorSync
from .served import Served
from .stores import ServedStore, clock
from .waits import AtOnce, Threads, run

_FREE = "free"
"""The mark of a payment that no facilitator can land."""
_REFUSED = "refused"
"""The end of the mark of a facilitator that refused the payment: one may refuse what it sent before."""
_POLL_S = 0.5
_UNSENT = (httpx.ConnectError, httpx.ConnectTimeout)
"""Errors of a connection that never opened: the request did not leave."""
_OF_THE_FACILITATOR = (
    "invalid_api_key",
    "invalid_network",
    "facilitator_unavailable",
    "kyt_unavailable",
    "upstream_unreachable",
    "upstream_refused",
    "rate_limit_exceeded",
    "quota_exceeded",
    "credits_exhausted",
    "payer_queue_full",
    "queue_full",
    "gas_budget_exceeded",
    "settings_changed",
)
"""Refusals that another facilitator may not share. In all of them nothing was sent."""

_Client = TypeVar("_Client", NamedFacilitator, NamedFacilitatorSync)
_AnyClient = Union[NamedFacilitator, NamedFacilitatorSync]
_Answer = TypeVar("_Answer", VerifyResponse, SettleResponse)


@dataclass(frozen=True)
class _Mark:
    """Who may land a payment. `holder`: the URL of the facilitator that this merchant sent this very payment to."""

    text: str | None
    is_free: bool
    holder: str | None
    is_recent: bool
    has_refused: bool


_UNREADABLE = "unreadable"
"""What the chain says of a payment that the reader cannot read."""
_UNKNOWN = "unknown"
"""What it says while the node does not answer."""


class _Failover:
    """What both clients do."""

    def __init__(
        self,
        clients: Sequence[_AnyClient],
        waits: Threads | AtOnce,
        store: ServedStore,
        authorizations: AuthorizationReader,
        recover_within_ms: int,
        answer_within_ms: int,
        wait_ms: int,
    ) -> None:
        if not clients:
            raise ValueError("it needs a facilitator")
        self._clients = list(clients)
        self._waits = waits
        self._store = store
        self._read = authorizations
        self._served = Served(store, answer_within_ms, waits)
        self._recover_within_ms = recover_within_ms
        self._wait_ms = wait_ms

    async def verify(self, payload: Any, requirements: Any) -> VerifyResponse:
        key = key_or_none(payload)
        mark = None if key is None else await self._mark_of(key, payload)
        on_chain = None if mark is None or _holder_of(mark) is None else await self._on_chain(payload, requirements)
        if key is not None and _state_of(on_chain) in ("paid", "used"):
            if await self._served.is_open(key):
                return VerifyResponse(is_valid=True, payer=_payer_of(payload))
            return VerifyResponse(is_valid=False, invalid_reason=DUPLICATE, payer=_payer_of(payload))
        verdict = await self._first_verdict(payload, requirements)
        # The facilitator that we sent it to knows it already.
        is_ours = _state_of(on_chain) == "unused" and reason_of(verdict) == DUPLICATE
        return VerifyResponse(is_valid=True, payer=_payer_of(payload)) if is_ours else unwrap(verdict)

    async def settle(self, payload: Any, requirements: Any) -> SettleResponse:
        key = key_or_none(payload)
        if key is not None and _state_of(await self._on_chain(payload, requirements)) != _UNREADABLE:
            settled = await self._settled(key, payload, requirements)
        else:
            # Nothing on the chain can decide: no other facilitator may try.
            settled = await _answer_of(lambda: self._clients[0].settle(payload, requirements))
        if key is None or not settled.success or await self._served.take(key):
            return settled
        return refusal(requirements, DUPLICATE, "this payment was served already")

    def get_supported(self) -> SupportedResponse:
        *others, last = self._clients
        for client in others:
            try:
                return client.get_supported()
            except Exception:
                continue
        return last.get_supported()

    async def _settled(self, key: str, payload: Any, requirements: Any) -> SettleResponse:
        until = time.monotonic() + self._wait_ms / 1_000
        while True:
            on_chain = await self._on_chain(payload, requirements)
            mark = await self._mark_of(key, payload)
            ended = _end_of(on_chain, _holder_of(mark), requirements)
            if ended is not None:
                return ended
            if _state_of(on_chain) in ("unused", _UNKNOWN):
                outcome = await self._tried(key, mark, payload, requirements)
                if outcome is not None and not is_undecided(outcome):
                    return unwrap(outcome)
            if time.monotonic() + _POLL_S > until:
                return refusal(requirements, PENDING, "the first facilitator may still land this payment")
            await self._waits.sleep(_POLL_S)

    async def _tried(self, key: str, mark: _Mark, payload: Any, requirements: Any) -> SettleResponse | Exception | None:
        """One round: the facilitator that may land the payment, or each in turn. None when none of them took it."""
        if mark.holder is not None:
            client = next((one for one in self._clients if one.url == mark.holder), None)
            outcome = None if client is None else await _settle_outcome(client, payload, requirements)
            # Its refusal now does not take back an earlier request, which may still be on its way.
            return outcome if mark.has_refused or _is_success(outcome) else None
        if not mark.is_free:
            return None
        before, last = mark.text, None
        for client in self._clients:
            if last is not None:
                state = _state_of(await self._on_chain(payload, requirements))
                if state != "unused":
                    return last if state == _UNKNOWN else None
            text = f"{clock()} {_signature_of(payload)} {client.url}"
            # Before the request leaves: after a crash the next process knows who may land it. Another request's mark stays.
            if not await self._replace(key, before, text):
                return None
            last = await _settle_outcome(client, payload, requirements)
            if not _is_unsent(last):
                if not _is_success(last) and not is_undecided(last):
                    await self._replace(key, text, f"{text} {_REFUSED}")
                return last
            await self._replace(key, text, _FREE)
            before = _FREE
        return last

    async def _mark_of(self, key: str, payload: Any) -> _Mark:
        text = await self._waits.call(self._store.get, _sent_key(key))
        if text is None or text == _FREE:
            return _Mark(text, True, None, False, False)
        at, signature, url, *end = text.split(" ")
        holder = url if signature == _signature_of(payload) else None
        return _Mark(text, False, holder, clock() - int(at) < self._recover_within_ms, end == [_REFUSED])

    async def _replace(self, key: str, before: str | None, after: str) -> bool:
        return await self._waits.call(self._store.replace, _sent_key(key), before, after)

    async def _on_chain(self, payload: Any, requirements: Any) -> AuthorizationState | str:
        try:
            return await self._waits.call(self._read, payload, requirements) or _UNREADABLE
        except Exception:
            return _UNKNOWN

    async def _first_verdict(self, payload: Any, requirements: Any) -> VerifyResponse | Exception:
        """The answer of the first facilitator that gives one; the last error if none does."""
        first, *others = self._clients
        outcome = await _verify_outcome(first, payload, requirements)
        for client in others:
            if isinstance(outcome, VerifyResponse) or _is_verdict(outcome):
                break
            outcome = await _verify_outcome(client, payload, requirements)
        return outcome


class _FailoverClient(Generic[_Client]):
    """What the clients of both kinds of servers share."""

    _waits: type[Threads] | type[AtOnce]

    def __init__(
        self,
        clients: Sequence[_Client],
        store: ServedStore,
        authorizations: AuthorizationReader,
        *,
        recover_within_ms: int = 15 * 60_000,
        answer_within_ms: int = 1_000,
        wait_ms: int = 30_000,
    ) -> None:
        times = (recover_within_ms, answer_within_ms, wait_ms)
        self._failover = _Failover(clients, self._waits(), store, authorizations, *times)

    def get_supported(self) -> SupportedResponse:
        """The networks of the first facilitator that answers."""
        return self._failover.get_supported()


class FailoverFacilitatorClient(_FailoverClient[NamedFacilitator]):
    """Several facilitators as one. Verify asks them in turn.

    Settle goes to the next one only if the chain shows the authorization unused and the earlier one could not serve it or was never
    reached; otherwise it waits for the chain. A payment that the chain shows as paid is answered once, also after a crash. Payments that
    `authorizations` cannot read go to the first facilitator only, and so do all while no node answers: `evm_authorizations({"eip155:8453": "https://…"})`. The times are those
    of `RecoveringFacilitatorClient`.
    """

    _waits = Threads

    async def verify(self, payload: Any, requirements: Any) -> VerifyResponse:
        """The verdict of the first that gives one; valid for a payment of ours that the chain shows as used and that was not served."""
        return await self._failover.verify(payload, requirements)

    async def settle(self, payload: Any, requirements: Any) -> SettleResponse:
        """Settles at one of them, once. `settlement_pending` while nothing shows whether the first one can still land it."""
        return await self._failover.settle(payload, requirements)


class FailoverFacilitatorClientSync(_FailoverClient[NamedFacilitatorSync]):
    """The same over official `HTTPFacilitatorClientSync`, for servers without an event loop."""

    _waits = AtOnce

    def verify(self, payload: Any, requirements: Any) -> VerifyResponse:
        """The verdict of the first that gives one; valid for a payment of ours that the chain shows as used and that was not served."""
        return run(self._failover.verify(payload, requirements))

    def settle(self, payload: Any, requirements: Any) -> SettleResponse:
        """Settles at one of them, once. `settlement_pending` while nothing shows whether the first one can still land it."""
        return run(self._failover.settle(payload, requirements))


async def _answer_of(ask: Callable[[], Awaitable[_Answer] | _Answer]) -> _Answer:
    """The answer of a client of either kind."""
    said = ask()
    return await said if isawaitable(said) else said


async def _verify_outcome(client: _AnyClient, payload: Any, requirements: Any) -> VerifyResponse | Exception:
    return await outcome_of(_answer_of(lambda: client.verify(payload, requirements)))


async def _settle_outcome(client: _AnyClient, payload: Any, requirements: Any) -> SettleResponse | Exception:
    return await outcome_of(_answer_of(lambda: client.settle(payload, requirements)))


def _sent_key(key: str) -> str:
    return f"sent {key}"


def _holder_of(mark: _Mark) -> str | None:
    """Who was sent this very payment, as long as its answer can be recovered."""
    return mark.holder if mark.is_recent else None


def _state_of(on_chain: AuthorizationState | str | None) -> str | None:
    return on_chain.state if isinstance(on_chain, AuthorizationState) else on_chain


def _is_success(outcome: SettleResponse | Exception | None) -> bool:
    return isinstance(outcome, SettleResponse) and outcome.success


def _signature_of(payload: Any) -> str:
    """The hash of the signature: only who holds the signed payment gets its answer."""
    return hashlib.sha256(str(field_of(field_of(dumped(payload), "payload"), "signature")).lower().encode()).hexdigest()


def _is_verdict(error: Exception) -> bool:
    """The official client raises for a refusal: one about the payment is a verdict, one about the facilitator is none."""
    reason = reason_of(error)
    return isinstance(reason, str) and reason not in _OF_THE_FACILITATOR


def _is_unsent(outcome: SettleResponse | Exception) -> bool:
    """Whether the payment did not reach the facilitator, or it refused to take it."""
    if isinstance(outcome, SettleResponse):
        return False
    reason = reason_of(outcome)
    return reason in _OF_THE_FACILITATOR if isinstance(reason, str) else isinstance(outcome, _UNSENT)


def _end_of(on_chain: AuthorizationState | str, holder: str | None, requirements: Any) -> SettleResponse | None:
    """The answer that the chain gives: a payment of ours that it shows, or one that can never be paid any more."""
    if not isinstance(on_chain, AuthorizationState) or on_chain.state == "unused":
        return None
    if on_chain.state == "dead":
        return refusal(requirements, "authorization_dead", "it expired, is for other terms, or was used for another payment")
    # Anyone can show a payment that is on the chain: only one that this merchant sent pays for an answer.
    if holder is None:
        return refusal(requirements, DUPLICATE, "this payment was made before")
    if on_chain.state == "used":
        return None
    network = str(field_of(dumped(requirements), "network"))
    return SettleResponse(success=True, transaction=on_chain.transaction, network=network, payer=on_chain.payer)


def _payer_of(payload: Any) -> str:
    return str(field_of(field_of(field_of(dumped(payload), "payload"), "authorization"), "from"))
