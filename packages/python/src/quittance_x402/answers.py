"""The answers of a facilitator of Quittance beyond those of x402. Amounts are atomic units as digits."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

SettledState = Literal["preconfirmed", "included", "safe", "finalized", "reversed"]
"""How final a landed payment is, or `reversed`: the chain took it back."""


class _Settled(TypedDict):
    payer: str
    finality: Literal["preconfirmed", "included", "safe", "finalized"]


class SettledExtra(_Settled, total=False):
    """`extra` of a landed settle answer: the place of this payment in a transaction that others may share."""

    nonce: str
    blockNumber: int
    logIndex: int


class Receipt(TypedDict):
    """The claims of a signed receipt. Times are Unix seconds."""

    iss: str
    iat: int
    seq: int
    settlement_id: str
    created_at: int
    network: str
    asset: str
    payer: str
    pay_to: str
    amount: str
    resource: str
    transaction: str
    log_index: int | None
    block_number: int | None
    state: SettledState


class Settlement(TypedDict):
    """A settlement as a lookup answers it to the caller that settled it. `receipt` is None unless it landed."""

    id: str
    state: Literal["pending", "succeeded", "failed"]
    reason: str | None
    message: str | None
    transaction: str
    network: str
    amount: str
    resource: str
    payer: str
    pay_to: str
    created_at: str
    nonce: str | None
    block_number: int | None
    log_index: int | None
    finality: str | None
    receipt: str | None


WebhookEvent = Literal[
    "payment.settled",
    "payment.finalized",
    "payment.failed",
    "payment.reversed",
    "alert.quota",
    "alert.failure_rate",
    "alert.credits",
    "alert.channel",
    "listing.listed",
    "listing.changed",
    "listing.expiring",
    "listing.taken",
    "webhook.test",
]


class WebhookMessage(TypedDict):
    """A verified webhook. `id` is the same for each delivery of one message; later versions may send other types."""

    id: str
    type: Union[WebhookEvent, str]
    timestamp: str
    data: dict[str, Any]
