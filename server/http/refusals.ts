import type { RefusalReason } from '../errors'

/** Why we did not act, and what the caller can do about it. */
export type RefusalMeaning = {
  status: number[]
  /** Where it can be met, if not on verify too. */
  only?: 'settle'
  cause: string
  remedy: string
}

const REPEAT = 'Nothing was sent. Repeat the identical request after Retry-After.'

/** Every word of a refusal: its statuses, its cause, its remedy. The `error` beside it says which field or which limit. */
export const refusals = {
  invalid_request: {
    status: [400, 404, 405],
    cause: 'The request cannot be served as it was sent: its path, its method, its headers or its Idempotency-Key.',
    remedy: 'Compare the base URL, the method and the headers with this reference.',
  },
  invalid_payload: {
    status: [400],
    cause: 'The body or the paymentPayload in it cannot be read, or a field is missing or wrong.',
    remedy: 'Read the error: it names the field. Forward what the client sent, as an object or as the base64 of its header.',
  },
  invalid_payment_requirements: {
    status: [400],
    cause: 'The requirements lack a field, name an asset that is not taken, or ask for less than the minimum payment.',
    remedy: 'Use the asset that /supported names, at least 100 atomic units unless the operator set another minimum.',
  },
  invalid_x402_version: {
    status: [400],
    cause: 'The x402Version is neither 1 nor 2.',
    remedy: 'Send 1 or 2, as the payer’s client wrote it.',
  },
  invalid_network: {
    status: [400, 403],
    cause: 'The network is no network name (400), or is not served below this prefix or not allowed for this key (403).',
    remedy: 'Testnets belong below /sandbox, mainnets below /v1/<API_KEY>. Ask {prefix}/supported what this caller may use.',
  },
  invalid_payment: {
    status: [400],
    cause: 'The payer and payTo are the same wallet.',
    remedy: 'Pay from another wallet than the one that is paid.',
  },
  invalid_api_key: {
    status: [401],
    cause: 'The key in the path is missing, unknown, revoked or past its grace.',
    remedy: 'Put a live key into the base URL: /v1/<API_KEY>. After a rotation use the new one.',
  },
  pay_to_not_allowed: {
    status: [403],
    cause: 'The key may only pay to addresses that its owner pinned, and payTo is none of them.',
    remedy: 'Correct payTo in the merchant’s configuration, or have the operator change pay_to_allow.',
  },
  amount_above_maximum: {
    status: [403],
    cause: 'The amount is above the maximum per payment that is set for this key.',
    remedy: 'Ask for less, or have the operator change max_amount.',
  },
  flash_not_in_plan: {
    status: [403],
    cause: 'Flash settlement needs the plan growth or scale.',
    remedy: 'Take /flash out of the base URL, or change the plan.',
  },
  kyt_flagged: {
    status: [403],
    cause: 'Screening flagged the payer or payTo.',
    remedy: 'Do not deliver. Nothing was sent; the operator can say more.',
  },
  duplicate_settlement: {
    status: [409],
    only: 'settle',
    cause: 'This payment was submitted before.',
    remedy:
      'With Retry-After: repeat the identical request for its outcome. Otherwise look it up, and sign a new one only for a new purchase.',
  },
  idempotency_conflict: {
    status: [409],
    only: 'settle',
    cause: 'The Idempotency-Key belongs to another body, or its first request still runs.',
    remedy: 'One key for one body: use a new key for another request, or repeat the same one in a moment.',
  },
  payload_too_large: {
    status: [413],
    cause: 'The body is over the limit: 16 KB on verify and settle, 4 KB elsewhere.',
    remedy: 'Shorten descriptions, schemas and extensions in the payment.',
  },
  rate_limit_exceeded: {
    status: [429],
    cause:
      'More requests per second than allowed, too many unknown keys from one address, too many new wallets to screen, or an unknown payer while too many payments cannot be paid.',
    remedy: 'Wait for Retry-After and slow down; a larger plan allows more.',
  },
  quota_exceeded: {
    status: [429],
    cause: 'The month’s settlements or verifications are used up.',
    remedy: 'Change the plan, or wait for the time in x-quota-reset (Unix seconds).',
  },
  credits_exhausted: {
    status: [429],
    cause: 'The wallet has no credits left, or no verifications, in the environment (mainnets or testnets) of this network.',
    remedy: 'Buy more with POST /api/v1/agent/purchase, paid on a network of that environment.',
  },
  payer_queue_full: {
    status: [429],
    only: 'settle',
    cause: 'Too many payments of this payer are on their way on this network: 200, on Solana 10.',
    remedy: REPEAT,
  },
  queue_full: {
    status: [429],
    only: 'settle',
    cause: 'Too many of this caller’s payments are on their way.',
    remedy: REPEAT,
  },
  payer_failures: {
    status: [429],
    only: 'settle',
    cause: 'Three transfers of this payer failed on this network within an hour.',
    remedy: 'Let that payer find out why its transfers fail; the next one is taken when the hour is over.',
  },
  flash_volume_exceeded: {
    status: [429],
    only: 'settle',
    cause: 'More of this caller’s flash settlements than may be wait for the blocks that hold them.',
    remedy: 'Settle again in a moment, or without /flash.',
  },
  gas_budget_exceeded: {
    status: [429],
    only: 'settle',
    cause: 'The gas that this caller may use on this network and UTC day is spent.',
    remedy: 'Wait for midnight UTC, or ask the operator for a larger budget.',
  },
  unexpected_error: {
    status: [500],
    cause: 'A fault of ours.',
    remedy:
      'Tell the operator the x-request-id. Before you sign anything new, look the payment up or repeat the identical request.',
  },
  upstream_unreachable: {
    status: [502],
    cause: 'No node of the network answered, or the facilitator that serves this tier did not.',
    remedy: 'Nothing was sent. Repeat the identical request in some seconds.',
  },
  upstream_refused: {
    status: [502],
    only: 'settle',
    cause: 'The facilitator that serves this tier would not take the request.',
    remedy: 'Nothing was sent. Tell the operator if it goes on.',
  },
  facilitator_unavailable: {
    status: [503],
    cause: 'The network is not configured here, no signer can take payments now, or the payment was not sent in time.',
    remedy: `${REPEAT} Where the error says "not configured", use a network of {prefix}/supported.`,
  },
  kyt_unavailable: {
    status: [503],
    cause: 'The verdict of screening is not known, and without it nothing is sent.',
    remedy: REPEAT,
  },
  settings_changed: {
    status: [503],
    only: 'settle',
    cause: 'The key’s settings were changed twice while the request ran.',
    remedy: REPEAT,
  },
  service_unavailable: {
    status: [503],
    cause: 'The database does not answer, or the process is starting or stopping.',
    remedy: 'The outcome may be unknown: repeat the identical request after Retry-After, and sign nothing new before.',
  },
} as const satisfies Record<RefusalReason, RefusalMeaning>
