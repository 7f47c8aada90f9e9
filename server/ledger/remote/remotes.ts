import { isServiceError, type RefusalReason, ServiceError } from '../../base/errors'
import type { Timing } from '../../base/timing'
import type { EvmChain } from '../../chains/evm/chain'
import { displayAddress } from '../../x402/addresses'
import { assetOn, type EvmNetworkId, mainAsset } from '../../x402/networks/networks'
import type { Declared } from '../../x402/payment'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { paymentMethodFor, writeTransfer } from '../../x402/schemes/evm-methods'
import { USUAL_SCHEME } from '../../x402/schemes/scheme-names'
import type { Due } from '../statements/settlements'
import { isIn, openStates } from '../states'
import type { RemoteAnswer, RemoteFacilitator } from './client'
import type { RemoteListing } from './listing'
import { findRemote, handOver, type RemoteRow, recordAnswer, takeBackHandOver } from './statements'
import { type RemoteWatcher, type RemoteWatcherOptions, startRemoteWatcher } from './watcher'

/** Another facilitator that serves a tier, and what it publishes. */
export type Remote = { facilitator: RemoteFacilitator; listing: RemoteListing }

/** A claimed payment that goes to another facilitator. */
export type RemoteOrder = Forwarded & {
  id: string
  tier: string
  transfer: SignedTransfer
  expiresAt: bigint
  /** The newest block when it was judged: its authorization was unused then. */
  judgedBlock: bigint
}

/** Settles through other facilitators, under the rules of the ledger. */
export type Remotes = {
  /** Throws `upstream` when a tier's facilitator was unreachable a moment ago: before a unit is taken or a claim made. */
  requireReachable(tier: string): void
  /**
   * Hands a claim over and returns its answer. When the claim was freed because nothing was handed over, throws a more precise refusal.
   */
  submit<T>(order: RemoteOrder, deadlineMs: number, answer: Promise<T>): Promise<T>
  /** Watches the due ones among these settlements. */
  watchAgain(due: Due[]): Promise<void>
  stop(): Promise<void>
}

type RemotesOptions = Omit<RemoteWatcherOptions, 'chain' | 'sendersOf' | 'isLarge'> & {
  /** Whether a transfer lands only when two endpoints show it. */
  isLarge: (network: EvmNetworkId, transfer: SignedTransfer) => boolean
  /** By tier. */
  remotes: ReadonlyMap<string, Remote>
  chains: readonly EvmChain[]
  timing: Timing
}

/** How long an unreachable facilitator is not tried again. */
const AWAY_MS = 1_000
/** The judgement and its simulation may be of different blocks, more so with replicas. */
const BLOCKS_BACK = 20n

/** Starts settling through other facilitators, and finishes what was handed to them before. */
export function startRemotes(options: RemotesOptions): Remotes {
  const { db, remotes, log, failpoint } = options
  const stopping = new AbortController()
  const calls = new Set<Promise<unknown>>()
  const away = new Map<string, number>()
  const sendersOf = (network: string) => (tier: string) => remotes.get(tier)?.listing.senders(network) ?? null
  const watchers = new Map<string, RemoteWatcher>(
    options.chains.map((chain) => [
      chain.network,
      startRemoteWatcher({
        ...options,
        chain,
        sendersOf: sendersOf(chain.network),
        isLarge: (transfer) => options.isLarge(chain.network, transfer),
      }),
    ]),
  )

  /** Sends a claim to the facilitator once. Returns why nothing was handed over, when that is certain. */
  async function give(order: RemoteOrder, deadlineMs: number): Promise<ServiceError | null> {
    const { id, tier, network } = order
    const remote = remotes.get(tier)
    if (!remote || !(await commit(order, remote))) return null
    failpoint('handed over')
    watchers.get(network)?.track(rowOf(order, remote, options.now()))
    const answer = await options.timing.time({ name: 'send', facts: { network, tier } }, () =>
      remote.facilitator.settle(forward(order), { timeoutMs: deadlineMs, signal: stopping.signal }),
    )
    failpoint('answered')
    log[answer.end === 'answered' ? 'info' : 'warn']({ settlementId: id, tier, ...answer }, 'the remote facilitator answered')
    if (answer.end === 'not reached' || answer.end === 'refused') return takeBack(order, answer)
    if (answer.end === 'answered') {
      watchers.get(network)?.answered(id, answer.transaction)
      await recordAnswer(db, id, answer.transaction)
    }
    return null
  }

  async function commit(order: RemoteOrder, { listing }: Remote): Promise<boolean> {
    const { id, network } = order
    try {
      const senders = listing.senders(network) ?? []
      return await handOver(db, id, { sinceBlock: sinceOf(order), senders, checkInMs: options.recheckMs })
    } catch (error) {
      // It may have committed, but we did not call.
      await takeBackHandOver(db, id)
      throw error
    }
  }

  async function takeBack({ id, tier, network }: RemoteOrder, answer: Refused): Promise<ServiceError | null> {
    if (answer.end === 'not reached') away.set(tier, performance.now() + AWAY_MS)
    if (!(await takeBackHandOver(db, id))) return null
    watchers.get(network)?.forget(id)
    return answer.end === 'not reached' ? unreachable(id) : refusedBy(answer.status, id)
  }

  return {
    requireReachable(tier) {
      if ((away.get(tier) ?? 0) > performance.now()) throw unreachable()
    },
    submit(order, deadlineMs, answer) {
      let refusal: ServiceError | null = null
      const call = give(order, deadlineMs)
        .then((refused) => {
          refusal = refused
          if (refused) options.wake(order.id)
        })
        .catch((error: unknown) => log.error({ err: error, settlementId: order.id }, 'handing a settlement over failed'))
        .finally(() => calls.delete(call))
      calls.add(call)
      return answer.catch((error: unknown) => {
        throw isServiceError(error) && refusal ? refusal : error
      })
    },
    async watchAgain(due) {
      const ids = due.filter(({ state }) => isIn(openStates, state)).map(({ id }) => id)
      for (const row of await findRemote(db, ids)) watchers.get(row.network)?.track(row)
    },
    async stop() {
      stopping.abort()
      await Promise.all([...calls])
      const listings = [...remotes.values()].map(({ listing }) => listing.stop())
      await Promise.all([...listings, ...[...watchers.values()].map((watcher) => watcher.stop())])
    },
  }
}

type Refused = Extract<RemoteAnswer, { end: 'not reached' | 'refused' }>

const sinceOf = ({ judgedBlock }: RemoteOrder) => (judgedBlock > BLOCKS_BACK ? judgedBlock - BLOCKS_BACK : 0n)

function rowOf(order: RemoteOrder, { listing }: Remote, claimedAt: bigint): RemoteRow {
  const { id, tier, network, asset, transfer, expiresAt } = order
  const senders = [...(listing.senders(network) ?? [])]
  const facts = { state: 'PREPARED', txHash: null, sinceBlock: sinceOf(order), senders } as const
  return { ...facts, settlementId: id, tier, network, asset, expiresAt, claimedAt, transfer: writeTransfer(transfer) }
}

function unreachable(settlementId?: string): ServiceError {
  return upstream(
    'the facilitator that serves this tier cannot be reached; nothing was sent, try again',
    'upstream_unreachable',
    settlementId,
  )
}

// Only its status is passed on: its text is untrusted.
function refusedBy(status: number, settlementId: string): ServiceError {
  const message = `the facilitator that serves this tier would not take the request (status ${status}); nothing was sent`
  return upstream(message, 'upstream_refused', settlementId)
}

function upstream(message: string, reason: RefusalReason, settlementId?: string): ServiceError {
  const facts = settlementId === undefined ? {} : { settlementId }
  return new ServiceError('upstream', message, { reason, retryAfterSeconds: 2, ...facts })
}

/** The forwarded parts of a payment: the parsed one, in canonical form. */
export type Forwarded = {
  network: EvmNetworkId
  asset: string
  payTo: string
  amount: bigint
  resource: string
  transfer: SignedTransfer
  declared: Declared
}

/** The body of `POST /settle` as official clients send it: x402 version 2. */
type ForwardedRequest = { x402Version: 2; paymentPayload: object; paymentRequirements: object }

const TIMEOUT_SECONDS = 60

/** The only form in which a payment is forwarded: CAIP-2 network, v2 names, EIP-55 addresses, decimal strings. */
export function forward(payment: Forwarded): ForwardedRequest {
  const { network, asset, payTo, amount, declared } = payment
  const requirements = {
    scheme: USUAL_SCHEME,
    network,
    amount: amount.toString(),
    asset: displayAddress(asset),
    payTo: displayAddress(payTo),
    // Version 2 requires a positive number.
    maxTimeoutSeconds: declared.maxTimeoutSeconds || TIMEOUT_SECONDS,
    extra: { ...declared.extra, ...(assetOn(network, asset) ?? mainAsset(network)).domain },
  }
  const paymentPayload = {
    x402Version: 2,
    payload: paymentMethodFor(payment.transfer).payload(payment.transfer),
    ...resourcePart(payment),
    accepted: requirements,
    ...(declared.extensions ? { extensions: declared.extensions } : {}),
  }
  return { x402Version: 2, paymentPayload, paymentRequirements: requirements }
}

function resourcePart({ resource, declared }: Forwarded): { resource?: object } {
  const { description, mimeType, resourceInfo } = declared
  if (resource === '') return {}
  return {
    resource: { ...(description ? { description } : {}), ...(mimeType ? { mimeType } : {}), ...resourceInfo, url: resource },
  }
}
