"""Facilitator clients that ask another facilitator when one fails."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Awaitable, Callable, Sequence
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
        key, on_chain = key_or_none(payload), None
        if key is not None and await self._holder_of(key, payload) is not None:
            on_chain = await self._on_chain(payload, requirements)
        if key is not None and on_chain is not None and on_chain.state in ("paid", "used"):
            if await self._served.is_open(key):
                return VerifyResponse(is_valid=True, payer=_payer_of(payload))
            return VerifyResponse(is_valid=False, invalid_reason=DUPLICATE, payer=_payer_of(payload))
        verdict = await self._first_verdict(payload, requirements)
        # The facilitator that we sent it to knows it already.
        is_ours = on_chain is not None and on_chain.state == "unused" and reason_of(verdict) == DUPLICATE
        return VerifyResponse(is_valid=True, payer=_payer_of(payload)) if is_ours else unwrap(verdict)

    async def settle(self, payload: Any, requirements: Any) -> SettleResponse:
        key = key_or_none(payload)
        if key is not None and await self._on_chain(payload, requirements) is not None:
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
            ended = _end_of(on_chain, await self._holder_of(key, payload), requirements)
            if ended is not None:
                return ended
            if on_chain is not None and on_chain.state == "unused":
                outcome = await self._tried(key, payload, requirements)
                if outcome is not None and not is_undecided(outcome):
                    return unwrap(outcome)
            if time.monotonic() + _POLL_S > until:
                return refusal(requirements, PENDING, "the first facilitator may still land this payment")
            await self._waits.sleep(_POLL_S)

    async def _tried(self, key: str, payload: Any, requirements: Any) -> SettleResponse | Exception | None:
        """One round: the facilitator that may land the payment, or each in turn. None when none of them took it."""
        holder = await self._holder_of(key, payload)
        if holder is not None:
            client = next((one for one in self._clients if one.url == holder), None)
            outcome = None if client is None else await _settle_outcome(client, payload, requirements)
            # Its refusal now does not take back an earlier request, which may still be on its way.
            return outcome if isinstance(outcome, SettleResponse) and outcome.success else None
        last: SettleResponse | Exception | None = None
        for client in self._clients:
            if last is not None:
                on_chain = await self._on_chain(payload, requirements)
                if on_chain is None or on_chain.state != "unused":
                    return None
            mark = f"{clock()} {_signature_of(payload)} {client.url}"
            # Before the request leaves: after a crash the next process knows who may land it.
            if not await self._replace(key, await self._marked(key), mark):
                return None
            last = await _settle_outcome(client, payload, requirements)
            if is_undecided(last) and not _is_unsent(last):
                return last
            if isinstance(last, Exception) or not last.success:
                await self._replace(key, mark, _FREE)
            if not _is_unsent(last):
                return last
        return last

    async def _holder_of(self, key: str, payload: Any) -> str | None:
        """The URL of the facilitator that may land this very payment, or did. None if none was asked, or long ago."""
        mark = await self._marked(key)
        if mark is None or mark == _FREE:
            return None
        at, signature, url = mark.split(" ", 2)
        is_recent = clock() - int(at) < self._recover_within_ms
        return url if is_recent and signature == _signature_of(payload) else None

    async def _marked(self, key: str) -> str | None:
        return await self._waits.call(self._store.get, _mark_of(key))

    async def _replace(self, key: str, before: str | None, after: str) -> bool:
        return await self._waits.call(self._store.replace, _mark_of(key), before, after)

    async def _on_chain(self, payload: Any, requirements: Any) -> AuthorizationState | None:
        """None if the reader cannot read this payment, or its node does not answer."""
        try:
            return await self._waits.call(self._read, payload, requirements)
        except Exception:
            return None

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

    Settle goes to the next one only if the chain shows the authorization unused and the earlier one refused the payment or was never
    reached; otherwise it waits for the chain. A payment that the chain shows as paid is answered once, also after a crash. Payments that
    `authorizations` cannot read go to the first facilitator only: `evm_authorizations({"eip155:8453": "https://…"})`. The times are those
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


def _mark_of(key: str) -> str:
    return f"sent {key}"


def _signature_of(payload: Any) -> str:
    """The hash of the signature: only who holds the signed payment gets its answer."""
    return hashlib.sha256(str(field_of(field_of(dumped(payload), "payload"), "signature")).encode()).hexdigest()


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


def _end_of(on_chain: AuthorizationState | None, holder: str | None, requirements: Any) -> SettleResponse | None:
    """The answer that the chain gives: a payment of ours that it shows, or one that can never be paid any more."""
    if on_chain is None or on_chain.state == "unused":
        return None
    if on_chain.state == "dead":
        return refusal(requirements, "authorization_dead", "it expired, or was used for another payment")
    # Anyone can show a payment that is on the chain: only one that this merchant sent pays for an answer.
    if holder is None:
        return refusal(requirements, DUPLICATE, "this payment was made before")
    if on_chain.state == "used":
        return None
    network = str(field_of(dumped(requirements), "network"))
    return SettleResponse(success=True, transaction=on_chain.transaction, network=network, payer=on_chain.payer)


def _payer_of(payload: Any) -> str:
    return str(field_of(field_of(field_of(dumped(payload), "payload"), "authorization"), "from"))
