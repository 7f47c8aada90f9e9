"""Reads from the chain what became of a signed payment."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import httpx

from .payment_key import dumped, field_of

_AUTHORIZATION_STATE = "0xe94a0102"
_AUTHORIZATION_USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5"
_AUTHORIZATION_CANCELED = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81"
_TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
_TIMEOUT_S = 10.0
_LOG_BLOCKS = 2_000
"""How many blocks one request for logs covers: nodes limit it."""
_LOOK_BACK_S = 3_600
"""How far back the transaction is looked for at most: an authorization lives for minutes."""

_Read = Callable[..., Any]


@dataclass(frozen=True)
class AuthorizationState:
    """What the chain says of a signed payment.

    `unused`: nothing used its authorization yet. `paid`: it paid these terms in that transaction. `dead`: it can never pay them any more
    (signed for others, used for something else, cancelled, or expired). `used`: the node does not show yet for what.
    """

    state: Literal["unused", "paid", "dead", "used"]
    transaction: str = ""
    payer: str = ""


AuthorizationReader = Callable[[Any, Any], "AuthorizationState | None"]
"""Reads the chain. None for a payment of a form or network that it cannot read. Raises if the node does not answer."""


@dataclass(frozen=True)
class _Signed:
    payer: str
    payee: str
    nonce: str
    valid_after: int
    valid_before: int
    value: int


@dataclass(frozen=True)
class _Block:
    number: int
    time: int


def evm_authorizations(nodes: Mapping[str, str]) -> AuthorizationReader:
    """Reads authorizations of EIP-3009 from EVM nodes, by CAIP-2 id: `{"eip155:8453": "https://…"}`."""

    def state_of(payload: Any, requirements: Any) -> AuthorizationState | None:
        terms = dumped(requirements)
        node = nodes.get(str(field_of(terms, "network")))
        signed = _authorization_in(dumped(payload))
        if node is None or signed is None:
            return None
        if not _is_for(signed, terms):
            return AuthorizationState("dead")

        def read(method: str, *params: Any) -> Any:
            return _call(node, method, params)

        newest = _block_at(read, "latest")
        data = f"{_AUTHORIZATION_STATE}{_word(signed.payer)}{_word(signed.nonce)}"
        used = read("eth_call", {"to": terms["asset"], "data": data}, hex(newest.number))
        if not isinstance(used, str) or not re.fullmatch(r"0x[0-9a-f]{64}", used):
            raise RuntimeError("the token has no authorizationState")
        if int(used, 16) == 0:
            return AuthorizationState("unused" if signed.valid_before > newest.time else "dead")
        try:
            return _use_of(read, signed, terms, newest)
        except Exception:
            # The next request may reach a node that lacks the block: that it is used remains true.
            return AuthorizationState("used")

    return state_of


def _use_of(read: _Read, signed: _Signed, terms: Any, newest: _Block) -> AuthorizationState:
    """What used an authorization. Raises if the node lacks the transaction."""
    log = _log_of_use(read, signed, terms["asset"], newest)
    if log is None:
        return AuthorizationState("used")
    if _topics_of(log)[:1] == [_AUTHORIZATION_CANCELED]:
        return AuthorizationState("dead")
    transaction = field_of(log, "transactionHash")
    if not isinstance(transaction, str):
        raise RuntimeError("the node answered a log without its transaction")
    logs = field_of(read("eth_getTransactionReceipt", transaction), "logs")
    if not isinstance(logs, list):
        raise RuntimeError("the node has no receipt of that transaction")
    return AuthorizationState("paid", transaction, signed.payer) if _pays(logs, signed, terms) else AuthorizationState("dead")


def _log_of_use(read: _Read, signed: _Signed, address: str, newest: _Block) -> Any:
    """The log of what used or cancelled an authorization, from the newest blocks back to when it became valid. None if no block has it."""
    topics = [[_AUTHORIZATION_USED, _AUTHORIZATION_CANCELED], f"0x{_word(signed.payer)}", f"0x{_word(signed.nonce)}"]
    earliest = max(newest.time - _LOOK_BACK_S, signed.valid_after)
    last = newest.number
    while True:
        first = max(last - _LOG_BLOCKS + 1, 0)
        logs = read("eth_getLogs", {"address": address, "topics": topics, "fromBlock": hex(first), "toBlock": hex(last)})
        if not isinstance(logs, list):
            raise RuntimeError("the node answered no logs")
        if logs:
            return logs[0]
        if first == 0 or _block_at(read, hex(first)).time <= earliest:
            return None
        last = first - 1


def _authorization_in(payload: Any) -> _Signed | None:
    authorization = field_of(field_of(payload, "payload"), "authorization")
    payer, payee, nonce = (field_of(authorization, name) for name in ("from", "to", "nonce"))
    numbers = [str(field_of(authorization, name)) for name in ("validAfter", "validBefore", "value")]
    if not _is_address(payer) or not _is_address(payee):
        return None
    if not isinstance(nonce, str) or not re.fullmatch(r"0x[0-9a-fA-F]{64}", nonce):
        return None
    if not all(re.fullmatch(r"[0-9]{1,78}", written) for written in numbers):
        return None
    return _Signed(payer, payee, nonce, *map(int, numbers))


def _is_address(written: Any) -> bool:
    return isinstance(written, str) and re.fullmatch(r"0x[0-9a-fA-F]{40}", written) is not None


def _is_for(signed: _Signed, terms: Any) -> bool:
    """Whether a payer signed for these terms: what a payment says that it accepted is not signed."""
    amount = field_of(terms, "amount") or field_of(terms, "maxAmountRequired")
    return signed.payee.lower() == str(field_of(terms, "payTo")).lower() and str(amount) == str(signed.value)


def _pays(logs: list[Any], signed: _Signed, terms: Any) -> bool:
    """Whether this very authorization moved the signed amount from the payer to the payee that the terms name: the token logs its use, and
    then its Transfer. A transaction may have others.
    """
    of_token = [log for log in logs if str(field_of(log, "address")).lower() == terms["asset"].lower()]
    use = [_AUTHORIZATION_USED, f"0x{_word(signed.payer)}", f"0x{_word(signed.nonce)}"]
    at = next((at for at, log in enumerate(of_token) if _topics_of(log)[:3] == use), None)
    if at is None:
        return False
    # Tokens may log other things in between, but not the next use.
    later = of_token[at + 1 :]
    following = next((log for log in later if _topics_of(log)[:1] in ([_TRANSFER], [_AUTHORIZATION_USED])), None)
    data = field_of(following, "data")
    transfer = [_TRANSFER, f"0x{_word(signed.payer)}", f"0x{_word(terms['payTo'])}"]
    return _topics_of(following)[:3] == transfer and _is_hex(data) and int(data, 16) == signed.value


def _topics_of(log: Any) -> list[str]:
    topics = field_of(log, "topics")
    return [str(topic).lower() for topic in topics] if isinstance(topics, list) else []


def _word(written: str) -> str:
    """32 bytes in hex, without 0x."""
    return written[2:].lower().rjust(64, "0")


def _block_at(read: _Read, at: str) -> _Block:
    block = read("eth_getBlockByNumber", at, False)
    number, time = field_of(block, "number"), field_of(block, "timestamp")
    if not _is_hex(number) or not _is_hex(time):
        raise RuntimeError(f"the node has no block {at}")
    return _Block(int(number, 16), int(time, 16))


def _is_hex(written: Any) -> bool:
    return isinstance(written, str) and re.fullmatch(r"0x[0-9a-f]+", written) is not None


def _call(node: str, method: str, params: tuple[Any, ...]) -> Any:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = httpx.post(node, json=body, timeout=_TIMEOUT_S).json()
    error = field_of(answer, "error")
    if error is not None:
        raise RuntimeError(f"{method} failed: {field_of(error, 'message')}")
    return field_of(answer, "result")
