import { ipSubject, widerSubject } from '../accounts/caller'
import type { Owner } from '../accounts/tenant-queries'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import type { Statements } from '../db/statements'
import { countEach, WIDER_TIMES } from '../ledger/statements/usage'
import {
  beginAgain,
  beginAllAgain,
  countResendable,
  type DeliveryFilter,
  type DeliveryRow,
  type DeliveryTally,
  findDelivery,
  listDeliveries,
  listFailing,
  tallyDeliveries,
  type UndeliveredSince,
  type WholeDelivery,
} from './delivery-queries'
import { TEST_EVENT } from './events'
import { testBody } from './messages'
import { ownEndpoint } from './own-endpoints'
import { writeDelivery } from './queue-queries'
import { TRIES_MAX } from './retries'

/** The limit of manual sends, for all of a merchant's endpoints together. */
const BY_HAND_PER_SECOND = 5
/** The tests that an owner sends in an hour, and all owners at an IP address. */
const TESTS_PER_HOUR = 50
const TESTS_PER_HOUR_OF_ADDRESS = 200
/** A test waits behind at most so many deliveries of its endpoint. */
const PENDING_MAX = 100

/** A page of a merchant's deliveries, newest first. `cursor` is the id of the last one seen. */
export async function pageOfDeliveries(
  app: App,
  owner: Owner,
  filter: DeliveryFilter,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<{ deliveries: DeliveryRow[]; hasMore: boolean }> {
  const rows = await listDeliveries(app.db, owner, filter, { limit: limit + 1, cursor })
  return { deliveries: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** How a merchant's deliveries of a filter went: of the newest ones that are read. */
export function tallyOf(app: App, owner: Owner, filter: DeliveryFilter): Promise<DeliveryTally> {
  return tallyDeliveries(app.db, owner, filter)
}

/** The deliveries that the screen shows first. */
const FAILING_SHOWN = 5

/** A merchant's newest deliveries that are failing now or failed in 24 hours, and how many there are. */
export function failingDeliveries(app: App, owner: Owner): Promise<{ deliveries: DeliveryRow[]; count: number }> {
  return listFailing(app.db, owner, FAILING_SHOWN)
}

/** All details of a delivery. Throws `not_found` for a foreign or missing id. */
export async function deliveryOf(app: App, owner: Owner, id: string): Promise<WholeDelivery> {
  const delivery = await findDelivery(app.db, owner, id)
  if (!delivery) throw new ServiceError('not_found', 'you have no delivery with this id')
  return delivery
}

/** Who sends by hand, and from which IP address. */
export type Sender = { owner: Owner; ip: string }

/** How a resend began: after the end of a delivery, between two retries of it, or while a try was in flight anyway. */
export type Resent = 'again' | 'earlier' | 'in flight'

/**
 * Sends the same message now, under its id. One that ended has retries for another day; one that is being retried goes on with its
 * retries if this try fails; one in flight is not sent twice. A test is tried once and counts as a new one. Throws `not_found`,
 * `too_many` beyond the rates, and `conflict` when it cannot be sent.
 */
export async function resend(app: App, sender: Sender, id: string): Promise<Resent> {
  const { owner } = sender
  await app.rateLimit(`webhooks:${owner.kind}:${owner.id}`, BY_HAND_PER_SECOND)
  const { type, state, body, tries } = await deliveryOf(app, owner, id)
  const resent = await app.db.transaction(async (within): Promise<Resent> => {
    if (await beginAgain(within, owner, { id, type }, TRIES_MAX)) {
      if (type === TEST_EVENT) await countTest(app, within, sender)
      return state === 'pending' ? 'earlier' : 'again'
    }
    if (body === null) throw new ServiceError('conflict', 'its payload is not stored, because history is off for its API key')
    if (tries >= TRIES_MAX) throw new ServiceError('conflict', `it was sent ${TRIES_MAX} times, which is the maximum`)
    if (state === 'pending') return 'in flight'
    throw switchedOff()
  })
  app.expectEffects()
  return resent
}

/** The messages of one call, and the calls that an owner makes in an hour. */
const RESENT_AT_ONCE = 100
const RESENDS_PER_HOUR = 20

/** How many undelivered messages `resendUndelivered` would send again; at most 1,000 are counted. */
export function undeliveredSince(app: App, owner: Owner, which: UndeliveredSince): Promise<number> {
  return countResendable(app.db, owner, which, TRIES_MAX)
}

/**
 * Sends up to 100 undelivered messages again, as `resend` does, newest first from the one after `cursor` on: payments and alerts that
 * failed or wait for a retry. Returns how many, and the cursor of the next call; null at the end. Throws `too_many` beyond 20 calls an
 * hour.
 */
export async function resendUndelivered(
  app: App,
  { owner }: Pick<Sender, 'owner'>,
  { cursor, ...which }: UndeliveredSince & { cursor: string | null },
): Promise<{ resent: number; cursor: string | null }> {
  await app.rateLimit(`webhooks:${owner.kind}:${owner.id}`, BY_HAND_PER_SECOND)
  const page = { most: TRIES_MAX, limit: RESENT_AT_ONCE, cursor }
  const { begun, last } = await app.db.transaction(async (within) => {
    const taken = await beginAllAgain(within, owner, which, page)
    if (taken.begun > 0) await countResends(app, within, owner)
    return taken
  })
  app.expectEffects()
  return { resent: begun, cursor: begun === RESENT_AT_ONCE ? last : null }
}

async function countResends({ now }: Pick<App, 'now'>, within: Statements, owner: Owner): Promise<void> {
  const subject = `webhooks:${owner.kind}:${owner.id}`
  const [count = 0] = await countEach(within, 'webhook resend', [{ subject, period: 'hour' }])
  if (count <= RESENDS_PER_HOUR) return
  const most = (RESENDS_PER_HOUR * RESENT_AT_ONCE).toLocaleString('en')
  throw tooManyThisHour(`you have sent up to ${most} messages again this hour`, now())
}

/**
 * Sends a test to an endpoint, once. Returns the id of its delivery. Throws `not_found`, `too_many` beyond the rates, and `conflict` when
 * the endpoint is disabled or many deliveries to it are still pending.
 */
export async function sendTest(app: App, sender: Sender, endpointId: string): Promise<string> {
  const { owner } = sender
  await app.rateLimit(`webhooks:${owner.kind}:${owner.id}`, BY_HAND_PER_SECOND)
  const { id, disabledAt } = await ownEndpoint(app, owner, endpointId)
  const body = testBody(id, app.now())
  const written = await app.db.transaction(async (within) => {
    await countTest(app, within, sender)
    const content = { type: TEST_EVENT, settlementId: null, body, kept: true }
    const deliveryId = await writeDelivery(within, id, content, PENDING_MAX)
    if (deliveryId === null) throw disabledAt === null ? tooManyPending() : switchedOff()
    return deliveryId
  })
  app.expectEffects()
  return written
}

const HOUR_S = 3_600

// Wallets cost nothing, so an address has a limit too, for all its merchants together.
async function countTest({ now }: Pick<App, 'now'>, within: Statements, { owner, ip }: Sender): Promise<void> {
  const address = `webhooks:${ipSubject(ip)}`
  const wider = widerSubject(address)
  const limits = [
    { subject: `webhooks:${owner.kind}:${owner.id}`, most: TESTS_PER_HOUR, whose: 'you have' },
    { subject: address, most: TESTS_PER_HOUR_OF_ADDRESS, whose: 'merchants at your address have' },
    ...(wider
      ? [{ subject: wider, most: TESTS_PER_HOUR_OF_ADDRESS * WIDER_TIMES, whose: 'merchants in your IPv6 /48 have' }]
      : []),
  ]
  const counted = limits.map(({ subject }) => ({ subject, period: 'hour' }) as const)
  const counts = await countEach(within, 'webhook test', counted)
  const broken = limits.find(({ most }, at) => (counts[at] ?? 0) > most)
  if (broken) throw tooManyThisHour(`${broken.whose} sent ${broken.most} tests this hour`, now())
}

function tooManyThisHour(what: string, now: Date): ServiceError {
  const retryAfterSeconds = HOUR_S - (Math.floor(now.getTime() / 1_000) % HOUR_S)
  const wait = `try again in ${Math.ceil(retryAfterSeconds / 60)} minutes`
  return new ServiceError('too_many', `${what}, which is the maximum; ${wait}`, {
    reason: 'rate_limit_exceeded',
    retryAfterSeconds,
  })
}

function switchedOff(): ServiceError {
  return new ServiceError('conflict', 'this webhook is disabled or deleted; enable it before you send to it')
}

function tooManyPending(): ServiceError {
  const message = `${PENDING_MAX} deliveries to this webhook are pending; a test would wait behind them, so look at those first`
  return new ServiceError('conflict', message)
}
