import { setTimeout as delay } from 'node:timers/promises'
import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements, SettleResponse, SupportedResponse, VerifyResponse } from '@x402/core/types'
import type { Settlement } from './answers'
import { lookUp } from './lookup'
import { openedOnce } from './opened-once'
import { DUPLICATE, isUndecided, outcomeOf, reasonOf, refusal, unwrap } from './outcome'
import { keyOrNull } from './payment-key'
import { createServed, type Served } from './served'
import type { ServedStore } from './stores/store'
import { fits } from './terms'

export type RecoveryOptions = {
  /** Where this merchant keeps which payments it served. */
  store: ServedStore
  /** How old a settlement may be whose answer is still given, in milliseconds: 15 minutes. */
  recoverWithinMs?: number
  /**
   * An answer that left less than this before a crash counts as lost, so that its payer can have it again: a second. With 0 an answer
   * counts from the moment before it is sent.
   */
  answerWithinMs?: number
  /** How long settle waits for an unknown outcome, in milliseconds: half a minute. */
  waitMs?: number
}

/** The official `HTTPFacilitatorClient`, or a client with its methods and URL. */
export type NamedFacilitator = FacilitatorClient & { readonly url: string }

const POLL_MS = 500
const UNNAMED = 'the payment has no form that can be recovered'
/** Payments through channels have an answer of their own kind for each voucher: their storage recovers it. */
const OF_CHANNELS = 'batch-settlement'

/**
 * A facilitator client that recovers a merchant's lost answers. A payment that this merchant settled and did not serve is valid for verify,
 * and settle returns its first success by lookup. Each payment is served once: the store has it before the answer leaves. Payments
 * through channels go to the official client as they are. It throws what the official client throws.
 */
export class RecoveringFacilitatorClient implements FacilitatorClient {
  readonly url: string
  readonly #inner: NamedFacilitator
  readonly #served: Served
  readonly #recoverWithinMs: number
  readonly #waitMs: number
  /** The time of the store, which it makes at first use. */
  readonly #opened: () => Promise<number>

  constructor(
    inner: NamedFacilitator,
    { store, recoverWithinMs = 15 * 60_000, answerWithinMs = 1_000, waitMs = 30_000 }: RecoveryOptions,
  ) {
    this.url = inner.url
    this.#inner = inner
    this.#opened = openedOnce(() => store.since())
    this.#served = createServed(store, answerWithinMs)
    this.#recoverWithinMs = recoverWithinMs
    this.#waitMs = waitMs
  }

  /** What the official client answers; valid for a payment that was settled here and not served. */
  async verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse> {
    const key = keyOrNull(payload)
    if (key === null && requirements.scheme === OF_CHANNELS) return this.#inner.verify(payload, requirements)
    if (key === null) return { isValid: false, invalidReason: 'invalid_payload', invalidMessage: UNNAMED }
    const outcome = await outcomeOf(this.#inner.verify(payload, requirements))
    if (reasonOf(outcome, 'invalidReason') !== DUPLICATE) return unwrap(outcome)
    // No answer yet: the guard of the facilitator against second charges goes on.
    const [found] = await this.#recoverable(payload, requirements, { peek: true }).catch(() => [])
    return found && (await this.#served.isOpen(key)) ? { isValid: true, payer: found.payer } : unwrap(outcome)
  }

  /** Settles, or returns the success of the first settle. A failure for a payment that was served. */
  async settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse> {
    const key = keyOrNull(payload)
    if (key === null && requirements.scheme === OF_CHANNELS) return this.#inner.settle(payload, requirements)
    if (key === null) return refusal(requirements, 'invalid_payload', UNNAMED)
    // A store that is made now knows of this payment, also if the process dies before it has the answer.
    await this.#opened()
    const settled = await this.#settled(payload, requirements)
    if (!settled.success || (await this.#served.take(key))) return settled
    return refusal(requirements, DUPLICATE, 'this payment was served already')
  }

  /** What the official client answers. */
  getSupported(): Promise<SupportedResponse> {
    return this.#inner.getSupported()
  }

  async #settled(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse> {
    const until = Date.now() + this.#waitMs
    for (;;) {
      const outcome = await outcomeOf(this.#inner.settle(payload, requirements))
      if (!isUndecided(outcome)) return unwrap(outcome)
      const found = await this.#recoverable(payload, requirements, { peek: false }).catch(() => null)
      const landed = found?.find(({ state }) => state === 'succeeded')
      if (landed) return successOf(landed, requirements)
      // Known, and none of this merchant's that can be recovered: no wait changes that.
      const isOthers = found?.length === 0 && reasonOf(outcome, 'errorReason') === DUPLICATE
      if (isOthers || Date.now() + POLL_MS > until) return unwrap(outcome)
      await delay(POLL_MS)
    }
  }

  /** The recent settlements of this payment that this merchant made on these terms and that have not failed. */
  async #recoverable(payload: PaymentPayload, requirements: PaymentRequirements, how: { peek: boolean }): Promise<Settlement[]> {
    const [found, since] = await Promise.all([lookUp(this.url, payload, requirements, how), this.#opened()])
    const earliest = Math.max(since, Date.now() - this.#recoverWithinMs)
    const isRecent = ({ created_at }: Settlement) => Date.parse(created_at) >= earliest
    return found.filter((one) => one.state !== 'failed' && isRecent(one) && fits(one, payload, requirements))
  }
}

/** The settle answer of a settlement that landed. */
function successOf(settlement: Settlement, { network }: PaymentRequirements): SettleResponse {
  const { transaction, payer, amount, block_number, log_index, nonce, finality, receipt } = settlement
  const extra = {
    payer,
    ...(block_number === null ? {} : { blockNumber: block_number }),
    ...(log_index === null ? {} : { logIndex: log_index }),
    ...(nonce === null ? {} : { nonce }),
    ...(finality === null ? {} : { finality }),
  }
  const extensions = receipt === null ? {} : { extensions: { 'settlement-receipt': { info: { receipt } } } }
  return { success: true, transaction, network, payer, amount, extra, ...extensions }
}
