"""For merchants who charge by x402: a client that survives a crash, payment channels, and checks of receipts and webhooks."""

from .answers import Receipt, SettledExtra, SettledState, Settlement, WebhookEvent, WebhookMessage
from .channels import QuittanceChannels
from .config import create_facilitator_config, facilitator
from .evm_authorizations import AuthorizationReader, AuthorizationState, evm_authorizations
from .failover import FailoverFacilitatorClient, FailoverFacilitatorClientSync
from .payment_key import payment_key
from .receipt import InvalidReceipt, verify_receipt
from .recovering import RecoveringFacilitatorClient, RecoveringFacilitatorClientSync
from .stores import FileStore, MemoryStore, RedisStore, ServedStore, SqlStore
from .webhook import InvalidWebhook, verify_webhook

__all__ = [
    "AuthorizationReader",
    "AuthorizationState",
    "FailoverFacilitatorClient",
    "FailoverFacilitatorClientSync",
    "FileStore",
    "InvalidReceipt",
    "InvalidWebhook",
    "MemoryStore",
    "QuittanceChannels",
    "Receipt",
    "RecoveringFacilitatorClient",
    "RecoveringFacilitatorClientSync",
    "RedisStore",
    "ServedStore",
    "SettledExtra",
    "SettledState",
    "Settlement",
    "SqlStore",
    "WebhookEvent",
    "WebhookMessage",
    "create_facilitator_config",
    "evm_authorizations",
    "facilitator",
    "payment_key",
    "verify_receipt",
    "verify_webhook",
]
