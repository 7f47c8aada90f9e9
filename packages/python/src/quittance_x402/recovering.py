"""Facilitator clients that recover a merchant's lost answers."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from x402.http.facilitator_client_base import FacilitatorClient, FacilitatorClientSync
from x402.schemas import SettleResponse, SupportedResponse, VerifyResponse

from .answers import Settlement
from .outcome import DUPLICATE, is_undecided, outcome_of, reason_of, refusal, unwrap
from .payment_key import dumped, field_of, key_or_none
from .receipt import claims_of
from .served import Served
from .stores import ServedStore
from .waits import AtOnce, Threads, run

_UNNAMED = "the payment has no form that can be recovered"
_OF_CHANNELS = "batch-settlement"
"""Payments through channels have an answer of their own kind for each voucher: their storage recovers it."""
_POLL_S = 0.5


class _Named(Protocol):
    @property
    def url(self) -> str: ...


class NamedFacilitator(FacilitatorClient, _Named, Protocol):
    """The official `HTTPFacilitatorClient`, or a client with its methods and URL."""


class NamedFacilitatorSync(FacilitatorClientSync, _Named, Protocol):
    """The official `HTTPFacilitatorClientSync`, or a client with its methods and URL."""


_Inner = TypeVar("_Inner", NamedFacilitator, NamedFacilitatorSync)


class _Recovery:
    """What both clients do. `verify` and `settle` ask the official client."""

    def __init__(
        self,
        url: str,
        waits: Threads | AtOnce,
        store: ServedStore,
        recover_within_ms: int,
        answer_within_ms: int,
        wait_ms: int,
    ) -> None:
        self._url = url
        self._waits = waits
        self._store = store
        self._served = Served(store, answer_within_ms, waits)
        self._recover_within_ms = recover_within_ms
        self._wait_ms = wait_ms
        self._since: int | None = None

    async def verify(self, ask: Callable[[], Awaitable[VerifyResponse]], payload: Any, requirements: Any) -> VerifyResponse:
        key = key_or_none(payload)
        if key is None and _is_of_channels(requirements):
            return await ask()
        if key is None:
            return VerifyResponse(is_valid=False, invalid_reason="invalid_payload", invalid_message=_UNNAMED)
        outcome = await outcome_of(ask())
        if reason_of(outcome) != DUPLICATE:
            return unwrap(outcome)
        try:
            # No answer yet: the guard of the facilitator against second charges goes on.
            found = await self._recoverable(payload, requirements, "?peek=true")
        except Exception:
            found = []
        if found and await self._served.is_open(key):
            return VerifyResponse(is_valid=True, payer=found[0]["payer"])
        return unwrap(outcome)

    async def settle(self, ask: Callable[[], Awaitable[SettleResponse]], payload: Any, requirements: Any) -> SettleResponse:
        key = key_or_none(payload)
        if key is None and _is_of_channels(requirements):
            return await ask()
        if key is None:
            return refusal(requirements, "invalid_payload", _UNNAMED)
        # A store that is made now knows of this payment, also if the process dies before it has the answer.
        await self._opened()
        settled = await self._settled(ask, payload, requirements)
        if not settled.success or await self._served.take(key):
            return settled
        return refusal(requirements, DUPLICATE, "this payment was served already")

    async def _settled(self, ask: Callable[[], Awaitable[SettleResponse]], payload: Any, requirements: Any) -> SettleResponse:
        until = time.monotonic() + self._wait_ms / 1_000
        while True:
            outcome = await outcome_of(ask())
            if not is_undecided(outcome):
                return unwrap(outcome)
            try:
                found = await self._recoverable(payload, requirements, "")
            except Exception:
                found = None
            for one in found or []:
                if one["state"] == "succeeded":
                    return _success_of(one, requirements)
            # Known, and none of this merchant's that can be recovered: no wait changes that.
            is_others = found == [] and reason_of(outcome) == DUPLICATE
            if is_others or time.monotonic() + _POLL_S > until:
                return unwrap(outcome)
            await self._waits.sleep(_POLL_S)

    async def _recoverable(self, payload: Any, requirements: Any, query: str) -> list[Settlement]:
        """The recent settlements of this payment that this merchant made on these terms and that have not failed."""
        found = await self._look_up(payload, requirements, query)
        earliest = max(await self._opened(), time.time() * 1_000 - self._recover_within_ms)
        asked = (dumped(payload), dumped(requirements))
        return [one for one in found if one["state"] != "failed" and _made_at(one) >= earliest and _fits(one, *asked)]

    async def _opened(self) -> int:
        """The time of the store, which it makes at first use."""
        if self._since is None:
            self._since = await self._waits.call(self._store.since)
        return self._since

    async def _look_up(self, payload: Any, requirements: Any, query: str) -> list[Settlement]:
        """The settlements of a signed payment that the owner of this facilitator URL made, oldest first.

        With `?peek=true` the facilitator does not count this as the payment's answer.
        """
        sent, terms = dumped(payload), dumped(requirements)
        body = {"x402Version": sent.get("x402Version"), "paymentPayload": sent, "paymentRequirements": terms}
        response = await self._waits.post(f"{self._url}/settlements/lookup{query}", body)
        if response.status_code == 404:
            return []
        response.raise_for_status()
        found = field_of(response.json(), "settlements")
        return [one for one in found if _is_own(one)] if isinstance(found, list) else []


class _RecoveringClient(Generic[_Inner]):
    """What the clients of both kinds of servers share."""

    _waits: type[Threads] | type[AtOnce]

    def __init__(
        self,
        inner: _Inner,
        store: ServedStore,
        *,
        recover_within_ms: int = 15 * 60_000,
        answer_within_ms: int = 1_000,
        wait_ms: int = 30_000,
    ) -> None:
        self._inner = inner
        self._recovery = _Recovery(inner.url, self._waits(), store, recover_within_ms, answer_within_ms, wait_ms)

    @property
    def url(self) -> str:
        """The URL of the facilitator."""
        return self._inner.url

    def get_supported(self) -> SupportedResponse:
        """What the official client answers."""
        return self._inner.get_supported()


class RecoveringFacilitatorClient(_RecoveringClient[NamedFacilitator]):
    """A payment that this merchant settled and did not serve is valid for verify, and settle returns its first success by lookup.

    Each payment is served once: the store has it before the answer leaves. Payments through channels go to the official client as they
    are. It raises what the official client raises. Milliseconds:
    `recover_within_ms` is how old a settlement may be whose answer is still given; an answer that left less than `answer_within_ms`
    before a crash counts as lost (with 0 none does); `wait_ms` is how long settle waits for an unknown outcome.
    """

    _waits = Threads

    async def verify(self, payload: Any, requirements: Any) -> VerifyResponse:
        """What the official client answers; valid for a payment that was settled here and not served."""
        return await self._recovery.verify(lambda: self._inner.verify(payload, requirements), payload, requirements)

    async def settle(self, payload: Any, requirements: Any) -> SettleResponse:
        """Settles, or returns the success of the first settle. A failure for a payment that was served."""
        return await self._recovery.settle(lambda: self._inner.settle(payload, requirements), payload, requirements)


class RecoveringFacilitatorClientSync(_RecoveringClient[NamedFacilitatorSync]):
    """The same over the official `HTTPFacilitatorClientSync`, for servers without an event loop."""

    _waits = AtOnce

    def verify(self, payload: Any, requirements: Any) -> VerifyResponse:
        """What the official client answers; valid for a payment that was settled here and not served."""

        async def ask() -> VerifyResponse:
            return self._inner.verify(payload, requirements)

        return run(self._recovery.verify(ask, payload, requirements))

    def settle(self, payload: Any, requirements: Any) -> SettleResponse:
        """Settles, or returns the success of the first settle. A failure for a payment that was served."""

        async def ask() -> SettleResponse:
            return self._inner.settle(payload, requirements)

        return run(self._recovery.settle(ask, payload, requirements))


def _is_of_channels(requirements: Any) -> bool:
    return field_of(dumped(requirements), "scheme") == _OF_CHANNELS


def _success_of(settlement: Settlement, requirements: Any) -> SettleResponse:
    """The settle answer of a settlement that landed."""
    named = {"blockNumber": "block_number", "logIndex": "log_index", "nonce": "nonce", "finality": "finality"}
    known = {name: settlement.get(field) for name, field in named.items() if settlement.get(field) is not None}
    receipt = settlement.get("receipt")
    return SettleResponse(
        success=True,
        transaction=settlement["transaction"],
        network=str(field_of(dumped(requirements), "network")),
        payer=settlement["payer"],
        amount=settlement["amount"],
        extra={"payer": settlement["payer"], **known},
        extensions=None if receipt is None else {"settlement-receipt": {"info": {"receipt": receipt}}},
    )


def _is_own(found: Any) -> bool:
    """Others learn only what became of a payment: an answer without an id is no answer for its owner."""
    texts = ("id", "state", "transaction", "network", "amount", "resource", "payer", "pay_to", "created_at")
    return all(isinstance(field_of(found, name), str) for name in texts)


def _made_at(settlement: Settlement) -> float:
    return datetime.fromisoformat(settlement["created_at"].replace("Z", "+00:00")).timestamp() * 1_000


def _fits(settlement: Settlement, payload: Any, terms: Any) -> bool:
    """Whether a settlement paid what is asked: the payee, the amount, the token, the resource where both name one, and the network where
    both have its CAIP-2 id.
    """
    receipt = settlement.get("receipt")
    asset = None if receipt is None else field_of(claims_of(receipt), "asset")
    network = str(field_of(terms, "network"))
    resource = _resource_of(payload, terms)
    return (
        _is_same(settlement["pay_to"], field_of(terms, "payTo"))
        and _is_enough(settlement["amount"], terms)
        and (resource in ("", settlement["resource"]) or settlement["resource"] == "")
        and (asset is None or _is_same(asset, field_of(terms, "asset")))
        and (":" not in network or settlement["network"] == network)
    )


def _resource_of(payload: Any, terms: Any) -> str:
    """The URL of the resource, as the facilitator reads it. Version 2 has it in the payload; empty if none is named."""
    for named in (field_of(terms, "resource"), field_of(payload, "resource")):
        url = named if isinstance(named, str) else field_of(named, "url")
        if isinstance(url, str) and url:
            return url
    return ""


def _is_enough(paid: str, terms: Any) -> bool:
    """A metered payment takes at most the amount that was signed; any other takes it all. Version 1 names the amount in another way."""
    asked = field_of(terms, "amount") or field_of(terms, "maxAmountRequired")
    if not isinstance(asked, str) or not (asked.isascii() and asked.isdigit() and paid.isascii() and paid.isdigit()):
        return False
    return int(paid) <= int(asked) if field_of(terms, "scheme") == "upto" else int(paid) == int(asked)


def _is_same(one: Any, other: Any) -> bool:
    """EVM addresses are hex in any letter case; those of Solana are exact."""
    if not isinstance(one, str) or not isinstance(other, str):
        return False
    return one.lower() == other.lower() if one.startswith("0x") else one == other
