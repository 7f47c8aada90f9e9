import { LRUCache } from 'lru-cache'
import { hexToBytes } from 'viem'
import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import { atMost } from '../base/at-most'
import { isServiceError, ServiceError } from '../base/errors'
import { sha256 } from '../base/hash'
import type { Db } from '../db/database'
import { isUndone } from '../ledger/statements/settlements'
import { MAY_BE_SENT_AGAIN } from '../ledger/unpaid'
import { intentKey } from '../x402/intent'
import { isClaimStep, isSigned, type Payment, payerIn } from '../x402/payment'
import { paymentIdentifierOf } from '../x402/payment-identifier'
import { reasons } from '../x402/reasons/reasons'
import { IDEMPOTENCY_KEY, keptAnswer } from './idempotency-key'
import { failed, type PaymentAnswer } from './present'
import {
  type Begun,
  begin,
  belongsToAnother,
  countKeys,
  finish,
  forget,
  type IdempotencyKey,
  type KeyLock,
  release,
} from './queries'

/** The time for judging and screening beside the wait for the chain. */
const BESIDE_MS = 15_000

/**
 * The common name of a request and its retries, and whether it is a retry. `claiming` is called with the judged payment, whose payer is
 * proven, before its intent is claimed; it may refuse it.
 */
type NamedRequest = { name: string | null; again: boolean; claiming: (payment: Payment) => Promise<void> }

/** A payment of a caller as it arrived: parsed, and the body's bytes. */
export type ReceivedPayment = { caller: Caller; payment: Payment; bytes: Uint8Array }

/** The key of a payer's identifier. It has blanks, which no `Idempotency-Key` has. */
const keyOf = (identifier: string, payment: Payment) => `payment-identifier ${identifier} ${payerIn(payment)}`

/**
 * Runs a settle request once per `Idempotency-Key` of its caller, and binds the `payment-identifier` of one without that header (docs/api.md "Lost answers"): a retry within 24 hours gets the stored
 * response. `again` is true when an earlier request with the key and body ended without a known response. Throws `bad_request` for a
 * malformed key, `conflict` for one that belongs to another body or whose first request still runs.
 */
export async function once(
  app: App,
  { caller, request, payment, bytes }: ReceivedPayment & { request: Request },
  act: (named: NamedRequest) => Promise<PaymentAnswer>,
): Promise<PaymentAnswer> {
  const written = request.headers.get('idempotency-key')
  // The first step had the payer's identifier; the second is of the same payment.
  const identifier = isClaimStep(payment) ? null : paymentIdentifierOf(payment)
  if (written === null)
    return identifier === null ? act(UNNAMED) : onceIdentified(app, { caller, payment, bytes, identifier }, act)
  if (!IDEMPOTENCY_KEY.safeParse(written).success) {
    throw new ServiceError('bad_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters', {
      reason: 'invalid_request',
    })
  }
  const intent = isSigned(payment) ? hexToBytes(intentKey(payment)) : null
  const key = { scope: caller.id, key: written, bodyHash: bodyHashOf(caller, bytes), intentKey: intent }
  const begun = await beginFor(app, caller, key)
  if (begun.say === 'no room') throw tooManyKeys()
  if (begun.say === 'repeat') return repeated(app, begun.answer)
  if (begun.say !== 'act') throw conflict(begun.say)
  const { lock } = begun
  return underKeys(app, 'answer', [{ key, lock }], async () =>
    withNewKey(await act({ ...UNNAMED, name: nameOf(key), again: lock.again })),
  )
}

const UNNAMED: NamedRequest = { name: null, again: false, claiming: async () => {} }

const bodyHashOf = ({ prefix }: Caller, bytes: Uint8Array) => sha256(Buffer.concat([Buffer.from(`${prefix}\n`), bytes]))

/**
 * Binds the payer's own name of its payment to the body that settled under it: another body of that payer with that name is refused, so
 * that a client that lost its answer does not pay twice. Bound before the claim, when the payer is proven: so no one takes another
 * payer's name. A success is never repeated for it: the payer chose the name, and one success pays for one request. Throws `conflict` for another
 * body.
 */
async function onceIdentified(
  app: App,
  { caller, payment, bytes, identifier }: ReceivedPayment & { identifier: string },
  act: (named: NamedRequest) => Promise<PaymentAnswer>,
): Promise<PaymentAnswer> {
  const boundBy = (judged: Payment) => ({
    scope: caller.id,
    key: keyOf(identifier, judged),
    bodyHash: bodyHashOf(caller, bytes),
  })
  // The first payment may have taken the money that this one needs: then its judgement would hide why it is refused.
  if (await belongsToAnother(app.db, boundBy(payment))) throw otherPayment()
  const held: Held[] = []
  const claiming = async (judged: Payment) => {
    const key = boundBy(judged)
    const begun = await beginFor(app, caller, key)
    if (begun.say === 'other body') throw otherPayment()
    if (begun.say === 'act') held.push({ key, lock: begun.lock })
  }
  return underKeys(app, 'name', held, () => act({ ...UNNAMED, claiming }))
}

const otherPayment = () =>
  new ServiceError('conflict', 'this payment-identifier belongs to another payment; look that one up, or use a new id', {
    reason: 'idempotency_conflict',
  })

type Held = { key: IdempotencyKey; lock: KeyLock }

/** Takes the lock of a caller's key, and counts a new key. */
async function beginFor(app: App, caller: Caller, key: IdempotencyKey): Promise<Begun> {
  const { idempotencyKeyCounts, engine, db } = app
  const begun = await begin(db, key, engine.deadlineMs + BESIDE_MS, await idempotencyKeyCounts.hasRoom(caller))
  if (begun.say === 'act' && !begun.lock.again) idempotencyKeyCounts.changed(key.scope, 1)
  return begun
}

/** Acts, and ends the locks that are held by then. `binds`: whether they keep the answer, or only the name of a payment. */
async function underKeys(app: App, binds: 'answer' | 'name', held: readonly Held[], act: () => Promise<PaymentAnswer>) {
  const end = async (write: typeof forget) => {
    for (const { key, lock } of held) {
      // The response holds even if it was not stored; an unfinished lock expires by itself.
      const missed = (error: unknown) => app.log.warn({ err: error }, 'an idempotency key was not brought up to date')
      await write(app.db, key, lock).catch(missed)
      if (write === forget) app.idempotencyKeyCounts.changed(key.scope, -1)
    }
  }
  try {
    const answer = await act()
    const { settled, failed, body, headers } = answer
    if (!settled) await end(release)
    else if (binds === 'name' && failed) await end(forget)
    // A success is never repeated for a name.
    else await end((db, key, lock) => finish(db, key, lock, binds === 'name' ? '' : JSON.stringify({ body, headers })))
    return answer
  } catch (error) {
    // A refused first request did nothing; after any other error a response may be lost. A name's conflict may hold its payment.
    const mayHold = (refusal: ServiceError) => refusal.refusal === 'conflict' && refusal.facts.reason !== 'second_charge'
    const didNothing = isServiceError(error) && !(binds === 'name' && mayHold(error))
    await end(didNothing && held.every(({ lock }) => !lock.again) ? forget : release)
    throw error
  }
}

const WITH_A_NEW_KEY = 'The same signed payment may be sent again, with a new Idempotency-Key.'

/** A failure that leaves the intent free is replayed too: its text says how to send the payment again. */
function withNewKey(answer: PaymentAnswer): PaymentAnswer {
  const said = (text: unknown) => (typeof text === 'string' ? text.replace(MAY_BE_SENT_AGAIN, WITH_A_NEW_KEY) : text)
  const texts = Object.entries(answer.body).map(([name, value]) => [name, said(value)])
  return { ...answer, body: Object.fromEntries(texts) }
}

function nameOf({ scope, key, bodyHash }: IdempotencyKey): string {
  return Buffer.from(sha256(Buffer.concat([Buffer.from(`${scope}\n${key}\n`), bodyHash]))).toString('base64url')
}

/** The stored response, corrected when the chain has reversed its success since. */
async function repeated(app: App, stored: string): Promise<PaymentAnswer> {
  const answer = keptAnswer.parse(JSON.parse(stored))
  const { headers } = answer
  const id = headers['x-settlement-id']
  const undone = answer.body.success === true && id !== undefined && (await isUndone(app.db, id))
  const body = undone
    ? {
        ...failed('settlement_reversed', reasons.settlement_reversed, String(answer.body.transaction)),
        ...partiesOf(answer.body),
      }
    : answer.body
  return { body, headers: { ...headers, 'idempotent-replayed': 'true' }, settled: true, failed: null }
}

const partiesOf = ({ network, payer }: Record<string, unknown>) => ({ network, payer })

function tooManyKeys(): ServiceError {
  const message =
    'too many Idempotency-Keys were used within 24 hours; wait until the oldest end, or repeat a request that you have sent'
  return new ServiceError('too_many', message, { reason: 'rate_limit_exceeded', retryAfterSeconds: 3_600 })
}

function conflict(say: Exclude<Begun['say'], 'act' | 'repeat' | 'no room'>): ServiceError {
  const reason = 'idempotency_conflict'
  if (say === 'other body') {
    return new ServiceError('conflict', 'this Idempotency-Key was used with another body; use a new key for another request', {
      reason,
    })
  }
  const message = 'the first request with this Idempotency-Key is still running; repeat it unchanged in a moment'
  return new ServiceError('conflict', message, { reason, retryAfterSeconds: 2 })
}

/** The number of idempotency keys that each caller keeps: counted in the database once a minute, and here in between. */
export type IdempotencyKeyCounts = {
  /** Whether the caller may keep one more. */
  hasRoom(caller: KeepingCaller): Promise<boolean>
  /** Counts one key more or less of a caller. */
  changed(callerId: string, by: 1 | -1): void
}

/** The facts that decide how many keys a caller may keep. */
type KeepingCaller = Pick<Caller, 'id' | 'limits' | 'metered'>

/** The minimum for every caller, per day. */
const KEYS_MIN = 10_000
/** For callers with credits, which have no monthly limit, per day. */
const KEYS_OF_AGENTS = 100_000
const REMEMBERED_CALLERS = 10_000
const COUNTED_EVERY_MS = 60_000

type Count = { kept: number }

/** The counts of one process. */
export function createIdempotencyKeyCounts(db: Db): IdempotencyKeyCounts {
  const counts = new LRUCache<string, Count, number>({
    ...atMost(REMEMBERED_CALLERS),
    ttl: COUNTED_EVERY_MS,
    fetchMethod: async (callerId, _stale, { context: most }) => ({ kept: await countKeys(db, callerId, most) }),
    ignoreFetchAbort: true,
  })
  return {
    async hasRoom(caller) {
      const most = mostKeysOf(caller)
      const { kept } = await counts.forceFetch(caller.id, { context: most })
      return kept < most
    },
    changed(callerId, by) {
      const count = counts.get(callerId)
      if (count) count.kept += by
    },
  }
}

/** A caller that settles its whole month in one day keeps that many keys. */
function mostKeysOf({ limits, metered }: KeepingCaller): number {
  return Math.max(KEYS_MIN, metered.by === 'credits' ? KEYS_OF_AGENTS : limits.settlements)
}
