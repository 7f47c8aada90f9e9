import type { RefusalReason } from '../base/errors'

/** The cause of a refusal and what the caller can do. */
export type RefusalMeaning = {
  status: number[]
  /** Set if only settle refuses with it. */
  only?: 'settle'
  cause: string
  remedy: string
}

const RETRY = 'Nothing was sent. Retry the identical request after Retry-After.'

/** Every refusal code with its statuses, cause and remedy. The `error` of the response names the field or limit. */
export const refusals = {
  invalid_request: {
    status: [400, 404, 405],
    cause: 'The path, method, headers or Idempotency-Key of the request are invalid.',
    remedy: 'Compare the base URL, the method and the headers with this reference.',
  },
  invalid_payload: {
    status: [400],
    cause: 'The body or its paymentPayload is not readable, or a field is missing or wrong.',
    remedy: 'The error names the field. Forward the payment that the client sent, as an object or as the base64 of its header.',
  },
  invalid_payment_requirements: {
    status: [400],
    cause: 'The requirements lack a field, have an unsupported asset, or an amount below the minimum payment.',
    remedy: 'Use the asset of /supported, and at least 100 atomic units unless the operator set another minimum.',
  },
  invalid_x402_version: {
    status: [400],
    cause: 'The x402Version is neither 1 nor 2.',
    remedy: "Send the version that the payer's client used: 1 or 2.",
  },
  invalid_network: {
    status: [400, 403],
    cause: 'The network name is unknown (400), or this prefix or key does not allow it (403).',
    remedy: 'Use /sandbox for testnets and /v1/<API_KEY> for mainnets. {prefix}/supported lists the allowed networks.',
  },
  invalid_payment: {
    status: [400],
    cause: 'The payer and payTo are the same wallet.',
    remedy: 'Pay from a different wallet.',
  },
  invalid_api_key: {
    status: [401],
    cause: 'The key in the path is missing, unknown, revoked or expired.',
    remedy: 'Use a live key in the base URL: /v1/<API_KEY>. After a rotation use the new key.',
  },
  pay_to_not_allowed: {
    status: [403],
    cause: 'payTo is not in the allowed addresses of this key.',
    remedy: "Correct payTo in the merchant's configuration, or have the operator change pay_to_allow.",
  },
  amount_above_maximum: {
    status: [403],
    cause: 'The amount exceeds the maximum per payment of this key.',
    remedy: 'Lower the amount, or have the operator change max_amount.',
  },
  flash_not_in_plan: {
    status: [403],
    cause: 'Flash settlement needs the growth or scale plan.',
    remedy: 'Remove /flash from the base URL, or change the plan.',
  },
  kyt_flagged: {
    status: [403],
    cause: 'Screening flagged the payer or payTo.',
    remedy: 'Do not deliver the resource. Nothing was sent; contact the operator for details.',
  },
  duplicate_settlement: {
    status: [409],
    only: 'settle',
    cause: 'This payment was submitted before.',
    remedy:
      'With Retry-After: retry the identical request to get its outcome. Otherwise look the payment up; sign a new one only for a new purchase.',
  },
  idempotency_conflict: {
    status: [409],
    only: 'settle',
    cause: 'The Idempotency-Key was used with another body, or its first request is still running.',
    remedy: 'Use a new key for a new body, or retry the identical request in a moment.',
  },
  second_charge: {
    status: [409],
    only: 'settle',
    cause: 'An earlier payment for the same resource and amount is pending, or its answer may be lost.',
    remedy: 'We took no money. Send the earlier payment again or look it up; the error names it.',
  },
  payload_too_large: {
    status: [413],
    cause: 'The body exceeds the limit: 16 KB on verify, settle and explain, 128 KB for claims, 4 to 32 KB elsewhere.',
    remedy: 'Shorten descriptions, schemas and extensions in the payment.',
  },
  rate_limit_exceeded: {
    status: [429],
    cause:
      'Too many requests per second, too many unknown keys from one IP address, too many new wallets to screen, or a new payer while too many payments are underfunded.',
    remedy: 'Wait for Retry-After and send fewer requests, or use a larger plan.',
  },
  quota_exceeded: {
    status: [429],
    cause: "The month's settlements or verifications are used up.",
    remedy: 'Change the plan, or wait for the time in x-quota-reset (Unix seconds).',
  },
  credits_exhausted: {
    status: [429],
    cause: 'The wallet has no credits or verifications left in the environment (mainnets or testnets) of this network.',
    remedy: 'Buy more with POST /api/v1/agent/purchase on a network of that environment.',
  },
  payer_queue_full: {
    status: [429],
    only: 'settle',
    cause: 'Too many payments of this payer are in flight on this network: 200, on Solana 10.',
    remedy: RETRY,
  },
  queue_full: {
    status: [429],
    only: 'settle',
    cause: 'Too many payments of this caller are in flight.',
    remedy: RETRY,
  },
  payer_failures: {
    status: [429],
    only: 'settle',
    cause: 'Three transfers of this payer failed on this network within one hour.',
    remedy: 'The payer should fix the cause. We accept its payments again after the hour.',
  },
  flash_volume_exceeded: {
    status: [429],
    only: 'settle',
    cause: 'Too many flash settlements of this caller wait for their blocks.',
    remedy: 'Retry in a moment, or settle without /flash.',
  },
  gas_budget_exceeded: {
    status: [429],
    only: 'settle',
    cause: 'The gas budget of this owner and plan, or of all free keys, is spent for this network and UTC day.',
    remedy: 'Wait until midnight UTC, or ask the operator for a larger budget.',
  },
  unexpected_error: {
    status: [500],
    cause: 'An internal error.',
    remedy:
      'Report the x-request-id to the operator. Look the payment up or retry the identical request before you sign a new one.',
  },
  upstream_unreachable: {
    status: [502],
    cause: 'No RPC endpoint of the network answered, or the facilitator of this tier did not.',
    remedy: 'Nothing was sent. Retry the identical request in a few seconds.',
  },
  upstream_refused: {
    status: [502],
    only: 'settle',
    cause: 'The facilitator of this tier refused the request.',
    remedy: 'Nothing was sent. Contact the operator if this continues.',
  },
  facilitator_unavailable: {
    status: [503],
    cause:
      'The network is not configured here, no signer is available, gas there costs too much now, or the payment was not sent in time.',
    remedy: `${RETRY} If the error says "not configured", use a network of {prefix}/supported.`,
  },
  kyt_unavailable: {
    status: [503],
    cause: 'Screening returned no verdict, so nothing was sent.',
    remedy: RETRY,
  },
  settings_changed: {
    status: [503],
    only: 'settle',
    cause: "The key's settings changed twice during the request.",
    remedy: RETRY,
  },
  service_unavailable: {
    status: [503],
    cause: 'The database does not answer, or the process is starting or stopping.',
    remedy: 'The outcome may be unknown. Retry the identical request after Retry-After; do not sign a new payment before.',
  },
} as const satisfies Record<RefusalReason, RefusalMeaning>
