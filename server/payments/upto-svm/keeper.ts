import { base58 } from '@scure/base'
import { v7 as uuidv7 } from 'uuid'
import type { Caller } from '../../accounts/caller'
import { type App, contradictionIn, unixNow } from '../../app'
import { startLoop } from '../../base/loop'
import type { ChannelEnd } from '../../chains/svm/upto'
import { failedStates, isIn, landedStates } from '../../ledger/states'
import { stepKey } from '../../x402/intent'
import type { SvmNetworkId } from '../../x402/networks/networks'
import type { UptoChannel } from '../../x402/schemes/upto/svm/transfers'
import { voucherMessage } from '../../x402/schemes/upto/svm/voucher'
import { callerFor } from '../channels/managed/claiming'
import { facilitatorFor, type SvmFacilitator } from '../facilitators'
import { askerOf } from '../judging'
import { endingOrder } from '../orders'
import {
  CLOSE_AFTER,
  type DueUptoChannel,
  endChannel,
  type KnownStep,
  keyAfter,
  lookAgain,
  takeDueChannels,
  takeFailedCharge,
} from './queries'

/** Ends channels on Solana while the service runs. */
type UptoKeeper = { stop(): Promise<void> }

const ROUND_MS = 5_000
/** Where the scheme is off, only what is left of earlier is looked for. */
const OFF_MS = 60_000
/** A channel is looked at again after so many rounds at the soonest. */
const AGAIN_ROUNDS = 4
const DUE_MAX = 50
/** The window of slots behind which a channel's rent can come back, at 400 ms each, seconds. */
const RENT_AFTER = 600
/** A channel whose rent could come back is looked at so often while it is open, because it may be charged any time, seconds. */
const OPEN_EVERY = 120
/** The longest pause of a channel that cannot be ended, seconds. */
const STUCK_EVERY = 3_600
/** A charge is tried again while its voucher is valid for at least this long, seconds. */
const VOUCHER_LEAST = 10n

/** What is to be done for a channel now. */
export type NextStep = 'nothing' | 'forget' | 'charge' | 'close' | 'reclaim'

/**
 * The next step of a channel. A charge that was signed and cannot land any more is charged again, unless a request was told that it failed;
 * nothing else is ever charged.
 */
export function nextStep({ channel, deposit, claim, reclaim }: DueUptoChannel, now: bigint): NextStep {
  if (deposit === 'REJECTED' || isIn(failedStates, deposit)) return 'forget'
  if (!isIn(landedStates, deposit)) return 'nothing'
  // Its payer may have ended a channel without a step of ours.
  if (reclaim && !hasFailed(reclaim)) return reclaim.state === 'FINAL' ? 'forget' : 'nothing'
  if (claim && !hasFailed(claim)) return claim.state === 'FINAL' ? 'reclaim' : 'nothing'
  if (claim && !claim.told && claim.amount > 0n && now + VOUCHER_LEAST < channel.expiresAt) return 'charge'
  return now >= channel.expiresAt + BigInt(CLOSE_AFTER) ? 'close' : 'nothing'
}

const hasFailed = ({ state }: KnownStep) => isIn(failedStates, state)
const mayLand = (step: KnownStep | null) => step !== null && !hasFailed(step)

/**
 * Seconds until a channel is looked at again after its step, of which `isMade` says whether it was; 0: soon. One that cannot be ended waits as
 * long again as it has waited. A charge that is lost makes its channel due in the statement that records it.
 */
export function waitAfter(due: DueUptoChannel, step: NextStep, isMade: boolean, now: bigint): number {
  const { channel, deposit, claim, reclaim, age } = due
  const untilClose = Number(channel.expiresAt - now) + CLOSE_AFTER
  const untilRent = RENT_AFTER - age
  if (isMade) return 0
  if (step === 'close') return Math.min(-untilClose, STUCK_EVERY)
  if (step === 'reclaim') return untilRent > 0 ? untilRent : Math.min(-untilRent, STUCK_EVERY)
  if (step !== 'nothing' || !isIn(landedStates, deposit) || mayLand(claim) || mayLand(reclaim)) return 0
  return Math.min(untilClose, Math.max(untilRent, OPEN_EVERY))
}

/** The pause between two rounds, milliseconds. */
export const paceOf = ({ svm }: Pick<App['config'], 'svm'>, usualMs: number): number =>
  svm.upto ? usualMs : Math.max(usualMs, OFF_MS)

/** Starts ending channels on each Solana network with signers for keys. Several instances may do so at once. */
export function startUptoKeeper(app: App, usualMs = ROUND_MS): UptoKeeper {
  const everyMs = paceOf(app.config, usualMs)
  const hangUp = new AbortController()
  const keepers = [...app.networks].flatMap(([, network]) => {
    if (network.family !== 'svm' || network.signers.production.length === 0) return []
    const id = network.chain.network
    const isServed = () => contradictionIn(network) === null && !network.isUnchecked?.()
    return [
      startLoop(
        async () => {
          const isFull = isServed() && (await round(app, id, everyMs, hangUp.signal))
          return isFull ? 0 : everyMs
        },
        (error) => app.log.warn({ err: error, network: id }, 'the channels of a network cannot be looked at now'),
        everyMs,
      ),
    ]
  })
  return {
    async stop() {
      hangUp.abort()
      await Promise.all(keepers.map((one) => one.stop()))
    },
  }
}

/** Looks at channels that are due; whether there may be more. */
async function round(app: App, network: SvmNetworkId, everyMs: number, hangUp: AbortSignal): Promise<boolean> {
  const soonMs = AGAIN_ROUNDS * everyMs
  const due = await takeDueChannels(app.db, network, { limit: DUE_MAX, leaseMs: soonMs })
  const ended = await Promise.allSettled(due.map((one) => look(app, network, one, { soonMs, hangUp })))
  for (const [at, one] of ended.entries())
    if (one.status === 'rejected')
      app.log.warn({ err: one.reason, network, channel: due[at]?.channel.id }, 'the end of a channel must wait')
  return due.length === DUE_MAX
}

type Looking = { soonMs: number; hangUp: AbortSignal }

async function look(app: App, network: SvmNetworkId, due: DueUptoChannel, { soonMs, hangUp }: Looking): Promise<void> {
  const step = nextStep(due, unixNow(app))
  let isMade = false
  try {
    isMade = await act(app, network, due, step, hangUp)
  } finally {
    const seconds = waitAfter(due, step, isMade, unixNow(app))
    await lookAgain(app.db, network, due, Math.max(soonMs, seconds * 1_000))
  }
}

/** Makes the next step of a channel; whether it was made. */
async function act(app: App, network: SvmNetworkId, due: DueUptoChannel, step: NextStep, hangUp: AbortSignal): Promise<boolean> {
  const { channel, tenantId, claim, reclaim } = due
  if (step === 'nothing') return false
  if (step === 'forget') return endChannel(app.db, network, due)
  const caller = await callerFor(app, tenantId)
  const facilitator = facilitatorFor(app, 'standard', network)
  if (facilitator.family !== 'svm') throw new Error(`${network} is no network of Solana`)
  const sending = { app, network, caller, facilitator, channel, hangUp }
  if (step === 'charge') return charge(sending, claim)
  const closing = step === 'close' ? await facilitator.chain.closeChannel(channel) : null
  if (closing && 'judgement' in closing) return send(sending, { kind: 'close', amount: 0n, last: claim, end: closing })
  const end = closing && closing.end !== 'paid out' ? closing : await facilitator.chain.reclaimChannel(channel)
  if ('judgement' in end) return send(sending, { kind: 'reclaim', amount: 0n, last: reclaim, end })
  if (end.end === 'unreadable') app.log.error({ network, channel: channel.id }, 'the account of a channel cannot be read')
  return end.end === 'gone' && due.deposit === 'FINAL' ? endChannel(app.db, network, due) : false
}

type Sending = {
  app: App
  network: SvmNetworkId
  caller: Caller
  facilitator: SvmFacilitator
  channel: UptoChannel
  hangUp: AbortSignal
}

/** Charges again what was charged and cannot land any more. */
async function charge(sending: Sending, last: KnownStep | null): Promise<boolean> {
  const { app, caller, channel, facilitator } = sending
  const signer = app.svmAuthorizers.at({ tenantId: caller.tenantId, key: KEPT_FOR_TENANT }, channel.authorizer)
  // Its secret is not configured any more.
  if (!signer || !last) return false
  const amount = last.amount
  // A party may have been flagged since the deposit. What goes back to its payer needs no screening.
  await app.screening[facilitator.laneClass].screen({ payer: channel.payer, payTo: channel.payTo }, askerOf(caller))
  const message = voucherMessage({ channelId: channel.id, amount, expiresAt: channel.expiresAt })
  const end = await facilitator.chain.chargeChannel(channel, { amount, signature: base58.encode(signer.sign(message)) })
  return send(sending, { kind: 'payment', amount, last, end })
}

// The keys are a tenant's, whichever of its API keys asked.
const KEPT_FOR_TENANT = { id: '', version: 0 }

type Prepared = {
  /** A payment is charged again in place of the last one. */
  kind: 'payment' | 'close' | 'reclaim'
  amount: bigint
  last: KnownStep | null
  end: Extract<ChannelEnd, { judgement: unknown }>
}

async function send(sending: Sending, { kind, amount, last, end: { judgement } }: Prepared): Promise<boolean> {
  const { app, network, caller, facilitator, channel, hangUp } = sending
  if ('trouble' in judgement || !judgement.valid) {
    const why = 'trouble' in judgement ? judgement.trouble : judgement.message
    app.log.warn({ network, channel: channel.id, kind, why }, 'a channel cannot be ended now')
    return false
  }
  await app.engine.requireSubmitter({
    network,
    tier: caller.tier,
    laneClass: facilitator.submitter,
    feePayer: channel.feePayer,
    sender: null,
    use: 'ending',
  })
  const first = stepKey(network, channel.id, kind === 'reclaim' ? 'reclaim' : 'claim')
  const intentKey = last?.state === 'REVERSED' ? keyAfter(last) : (last?.key ?? first)
  const request = kind === 'payment' && last ? await takeFailedCharge(app.db, last.id) : null
  if (kind === 'payment' && !request) return false
  const terms = { id: uuidv7(), kind, intentKey, network, channel, amount, judgement, request }
  const order = endingOrder(app, caller, facilitator, terms)
  // The answer to a charge is its merchant's: once it is claimed, nothing waits for it here.
  const claimed = new AbortController()
  const waiting = { hangUp: request ? AbortSignal.any([hangUp, claimed.signal]) : hangUp, name: null }
  const ended = await app.engine.settle(order, waiting, () => claimed.abort())
  const facts = { network, tenantId: caller.tenantId, channel: channel.id, kind, end: ended.end }
  if (ended.end === 'not claimed') app.log.warn({ ...facts, why: ended.why }, 'the end of a channel was not taken now')
  else app.log.info(facts, 'ended a channel')
  return ended.end === 'landed' || ended.end === 'pending'
}
