import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements, SettleResponse, SupportedResponse, VerifyResponse } from '@x402/core/types'
import type { AuthorizationReader, AuthorizationState } from './evm-authorizations'
import { DUPLICATE, isUndecided, type Outcome, outcomeOf, PENDING, reasonOf, refusal, unwrap } from './outcome'
import { fieldOf, keyOrNull } from './payment-key'
import type { NamedFacilitator } from './recovering'
import { createServed, type Served } from './served'
import type { ServedStore } from './stores/store'

export type FailoverOptions = {
  /** Where this merchant keeps which payments it sent and served. */
  store: ServedStore
  /** Reads the chain: `evmAuthorizations({ 'eip155:8453': 'https://…' })`. */
  authorizations: AuthorizationReader
  /** As for `RecoveringFacilitatorClient`. */
  answerWithinMs?: number
  recoverWithinMs?: number
  waitMs?: number
}

/** The mark of a payment that no facilitator can land. */
const FREE = 'free'
/** The end of the mark of a facilitator that refused the payment: one may refuse what it sent before. */
const REFUSED = 'refused'
const POLL_MS = 500
/** Errors of a connection that never opened: the request did not leave. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']
/** Refusals that another facilitator may not share. In all of them nothing was sent. */
const OF_THE_FACILITATOR = [
  'invalid_api_key',
  'invalid_network',
  'facilitator_unavailable',
  'kyt_unavailable',
  'upstream_unreachable',
  'upstream_refused',
  'rate_limit_exceeded',
  'quota_exceeded',
  'credits_exhausted',
  'payer_queue_full',
  'queue_full',
  'gas_budget_exceeded',
  'settings_changed',
]

/** Who may land a payment. `holder`: the URL of the facilitator that this merchant sent this very payment to. */
type Mark = { text: string | null; isFree: boolean; holder: string | null; isRecent: boolean; hasRefused: boolean }

/** What the chain says of a payment: `unreadable` of one that the reader cannot read, `unknown` while the node does not answer. */
type ChainState = AuthorizationState | { state: 'unreadable' } | { state: 'unknown' }

/**
 * Several facilitators as one. Verify asks them in turn. Settle goes to the next one only if the chain shows the authorization unused and
 * the earlier one could not serve it or was never reached; otherwise it waits for the chain. A payment that the chain shows as paid is
 * answered once, also after a crash. Payments that the reader cannot read go to the first facilitator only; so do all while no node answers.
 */
export class FailoverFacilitatorClient implements FacilitatorClient {
  readonly #clients: readonly [NamedFacilitator, ...NamedFacilitator[]]
  readonly #read: AuthorizationReader
  readonly #store: ServedStore
  readonly #served: Served
  readonly #recoverWithinMs: number
  readonly #waitMs: number

  constructor(clients: readonly [NamedFacilitator, ...NamedFacilitator[]], options: FailoverOptions) {
    const { store, authorizations, answerWithinMs = 1_000, recoverWithinMs = 15 * 60_000, waitMs = 30_000 } = options
    this.#clients = clients
    this.#read = authorizations
    this.#store = store
    this.#served = createServed(store, answerWithinMs)
    this.#recoverWithinMs = recoverWithinMs
    this.#waitMs = waitMs
  }

  /** The verdict of the first facilitator that gives one; valid for a payment of ours that the chain shows as used and that was not served. */
  async verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse> {
    const key = keyOrNull(payload)
    const mark = key === null ? null : await this.#markOf(key, payload)
    const onChain = mark && holderOf(mark) !== null ? await this.#onChain(payload, requirements) : null
    if (key !== null && (onChain?.state === 'paid' || onChain?.state === 'used')) {
      const payer = payerOf(payload)
      return (await this.#served.isOpen(key)) ? { isValid: true, payer } : { isValid: false, invalidReason: DUPLICATE, payer }
    }
    const verdict = await this.#firstOf((client) => client.verify(payload, requirements))
    // The facilitator that we sent it to knows it already.
    const isOurs = onChain?.state === 'unused' && reasonOf(verdict, 'invalidReason') === DUPLICATE
    return isOurs ? { isValid: true, payer: payerOf(payload) } : unwrap(verdict)
  }

  /** Settles at one of them, once. `settlement_pending` while nothing shows whether the first one can still land it. */
  async settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse> {
    const key = keyOrNull(payload)
    const isReadable = key !== null && (await this.#onChain(payload, requirements)).state !== 'unreadable'
    // Where nothing on the chain can decide, no other facilitator may try.
    const settled = await (isReadable
      ? this.#settled(key, payload, requirements)
      : this.#clients[0].settle(payload, requirements))
    if (key === null || !settled.success || (await this.#served.take(key))) return settled
    return refusal(requirements, DUPLICATE, 'this payment was served already')
  }

  /** The networks of the first facilitator that answers. */
  async getSupported(): Promise<SupportedResponse> {
    return unwrap(await this.#firstOf((client) => client.getSupported()))
  }

  async #settled(key: string, payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse> {
    const until = Date.now() + this.#waitMs
    for (;;) {
      const onChain = await this.#onChain(payload, requirements)
      const mark = await this.#markOf(key, payload)
      const ended = endOf(onChain, holderOf(mark), requirements)
      if (ended) return ended
      if (onChain.state === 'unused' || onChain.state === 'unknown') {
        const outcome = await this.#tried(key, mark, payload, requirements)
        if (outcome && !isUndecided(outcome)) return unwrap(outcome)
      }
      if (Date.now() + POLL_MS > until) return refusal(requirements, PENDING, 'the first facilitator may still land this payment')
      await delay(POLL_MS)
    }
  }

  /** One round: the facilitator that may land the payment, or each in turn. Null when none of them took it. */
  async #tried(
    key: string,
    mark: Mark,
    payload: PaymentPayload,
    requirements: PaymentRequirements,
  ): Promise<Outcome<SettleResponse> | null> {
    if (mark.holder !== null) {
      const client = this.#clients.find(({ url }) => url === mark.holder)
      const outcome = client ? await outcomeOf(client.settle(payload, requirements)) : null
      // Its refusal now does not take back an earlier request, which may still be on its way.
      return mark.hasRefused || (outcome && isSuccess(outcome)) ? outcome : null
    }
    if (!mark.isFree) return null
    let before = mark.text
    let last: Outcome<SettleResponse> | null = null
    for (const client of this.#clients) {
      if (last !== null) {
        const { state } = await this.#onChain(payload, requirements)
        if (state !== 'unused') return state === 'unknown' ? last : null
      }
      const text = `${Date.now()} ${signatureOf(payload)} ${client.url}`
      // Before the request leaves: after a crash the next process knows who may land it. Another request's mark stays.
      if (!(await this.#store.replace(sentKey(key), before, text))) return null
      last = await outcomeOf(client.settle(payload, requirements))
      if (!isUnsent(last)) {
        if (!isSuccess(last) && !isUndecided(last)) await this.#store.replace(sentKey(key), text, `${text} ${REFUSED}`)
        return last
      }
      await this.#store.replace(sentKey(key), text, FREE)
      before = FREE
    }
    return last
  }

  async #markOf(key: string, payload: PaymentPayload): Promise<Mark> {
    const text = await this.#store.get(sentKey(key))
    const [at, signature, url = null, end] = (text ?? FREE).split(' ')
    return {
      text,
      isFree: text === null || text === FREE,
      holder: signature === signatureOf(payload) ? url : null,
      isRecent: Date.now() - Number(at) < this.#recoverWithinMs,
      hasRefused: end === REFUSED,
    }
  }

  async #onChain(payload: PaymentPayload, requirements: PaymentRequirements): Promise<ChainState> {
    const outcome = await outcomeOf(this.#read(payload, requirements))
    return 'error' in outcome ? { state: 'unknown' } : (outcome.answer ?? { state: 'unreadable' })
  }

  /** The answer of the first facilitator that answers; the last error if none does. */
  async #firstOf<Answer>(ask: (client: NamedFacilitator) => Promise<Answer>): Promise<Outcome<Answer>> {
    let outcome = await outcomeOf(ask(this.#clients[0]))
    for (const client of this.#clients.slice(1)) {
      if ('answer' in outcome || isVerdict(outcome.error)) break
      outcome = await outcomeOf(ask(client))
    }
    return outcome
  }
}

const sentKey = (key: string) => `sent ${key}`

/** Who was sent this very payment, as long as its answer can be recovered. */
const holderOf = ({ holder, isRecent }: Mark) => (isRecent ? holder : null)

const isSuccess = (outcome: Outcome<SettleResponse>) => 'answer' in outcome && outcome.answer.success

/** The hash of the signature: only who holds the signed payment gets its answer. */
function signatureOf(payload: PaymentPayload): string {
  return createHash('sha256')
    .update(String(fieldOf(payload.payload, 'signature')).toLowerCase())
    .digest('hex')
}

/** The official client throws for a refusal: one about the payment is a verdict, one about the facilitator is none. */
function isVerdict(error: unknown): boolean {
  const reason = fieldOf(error, 'invalidReason')
  return typeof reason === 'string' && !OF_THE_FACILITATOR.includes(reason)
}

/** Whether the payment did not reach the facilitator, or it refused to take it. */
function isUnsent(outcome: Outcome<SettleResponse>): boolean {
  if ('answer' in outcome) return false
  const reason = reasonOf(outcome, 'errorReason')
  if (typeof reason === 'string') return OF_THE_FACILITATOR.includes(reason)
  const code = fieldOf(fieldOf(outcome.error, 'cause'), 'code')
  return typeof code === 'string' && UNSENT.includes(code)
}

/** The answer that the chain gives: a payment of ours that it shows, or one that can never be paid any more. */
function endOf(onChain: ChainState, holder: string | null, requirements: PaymentRequirements): SettleResponse | null {
  if (onChain.state === 'dead')
    return refusal(requirements, 'authorization_dead', 'it expired, is for other terms, or was used for another payment')
  if (onChain.state !== 'paid' && onChain.state !== 'used') return null
  // Anyone can show a payment that is on the chain: only one that this merchant sent pays for an answer.
  if (holder === null) return refusal(requirements, DUPLICATE, 'this payment was made before')
  if (onChain.state === 'used') return null
  const { transaction, payer } = onChain
  return { success: true, transaction, network: requirements.network, payer }
}

function payerOf(payload: PaymentPayload): string {
  return String(fieldOf(fieldOf(payload.payload, 'authorization'), 'from'))
}
