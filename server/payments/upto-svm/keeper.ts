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
  takeDueChannels,
  takeFailedCharge,
} from './queries'

/** Ends channels on Solana while the service runs. */
type UptoKeeper = { stop(): Promise<void> }

const ROUND_MS = 5_000
/** Where the scheme is off, only what is left of earlier is looked for. */
const OFF_MS = 60_000
/** Each channel is looked at so often, in rounds. */
const AGAIN_ROUNDS = 4
const DUE_MAX = { limit: 50, eachMax: 10 }
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
          if (isServed()) await round(app, id, everyMs, hangUp.signal)
          return everyMs
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

async function round(app: App, network: SvmNetworkId, everyMs: number, hangUp: AbortSignal): Promise<void> {
  const due = await takeDueChannels(app.db, network, { ...DUE_MAX, againMs: AGAIN_ROUNDS * everyMs })
  const ended = await Promise.allSettled(due.map((one) => act(app, network, one, hangUp)))
  for (const [at, one] of ended.entries())
    if (one.status === 'rejected')
      app.log.warn({ err: one.reason, network, channel: due[at]?.channel.id }, 'the end of a channel must wait')
}

async function act(app: App, network: SvmNetworkId, due: DueUptoChannel, hangUp: AbortSignal): Promise<void> {
  const { channel, tenantId, claim, reclaim } = due
  const step = nextStep(due, unixNow(app))
  if (step === 'nothing') return
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
  if (end.end === 'gone' && due.deposit === 'FINAL') await endChannel(app.db, network, due)
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
async function charge(sending: Sending, last: KnownStep | null): Promise<void> {
  const { app, caller, channel, facilitator } = sending
  const signer = app.svmAuthorizers.at({ tenantId: caller.tenantId, key: KEPT_FOR_TENANT }, channel.authorizer)
  // Its secret is not configured any more.
  if (!signer || !last) return
  const amount = last.amount
  // A party may have been flagged since the deposit. What goes back to its payer needs no screening.
  await app.screening[facilitator.laneClass].screen({ payer: channel.payer, payTo: channel.payTo }, askerOf(caller))
  const message = voucherMessage({ channelId: channel.id, amount, expiresAt: channel.expiresAt })
  const end = await facilitator.chain.chargeChannel(channel, { amount, signature: base58.encode(signer.sign(message)) })
  await send(sending, { kind: 'payment', amount, last, end })
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

async function send(sending: Sending, { kind, amount, last, end: { judgement } }: Prepared): Promise<void> {
  const { app, network, caller, facilitator, channel, hangUp } = sending
  if ('trouble' in judgement || !judgement.valid) {
    const why = 'trouble' in judgement ? judgement.trouble : judgement.message
    app.log.warn({ network, channel: channel.id, kind, why }, 'a channel cannot be ended now')
    return
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
  if (kind === 'payment' && !request) return
  const terms = { id: uuidv7(), kind, intentKey, network, channel, amount, judgement, request }
  const order = endingOrder(app, caller, facilitator, terms)
  // The answer to a charge is its merchant's: once it is claimed, nothing waits for it here.
  const claimed = new AbortController()
  const waiting = { hangUp: request ? AbortSignal.any([hangUp, claimed.signal]) : hangUp, name: null }
  const ended = await app.engine.settle(order, waiting, () => claimed.abort())
  const facts = { network, tenantId: caller.tenantId, channel: channel.id, kind, end: ended.end }
  if (ended.end === 'not claimed') app.log.warn({ ...facts, why: ended.why }, 'the end of a channel was not taken now')
  else app.log.info(facts, 'ended a channel')
}
