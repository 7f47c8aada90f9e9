import { type Quota, quotaHeaders } from '../../accounts/metering'
import type { App } from '../../app'
import type { EvmChain } from '../../chains/evm/chain'
import type { Receipt } from '../../chains/evm/receipts'
import { API_HEADERS } from '../../http/errors'
import { displayAddress } from '../../x402/addresses'
import type { EvmPayment } from '../../x402/payment'
import { claimedIn, depositedIn, refundedIn, sweptIn } from '../../x402/schemes/batch-settlement/acts'
import { channelIdOf } from '../../x402/schemes/batch-settlement/hashes'
import type { ChannelRequest } from '../../x402/schemes/batch-settlement/requests'
import type { DepositTransfer, SignedAct } from '../../x402/schemes/batch-settlement/transfers'
import { failed, type PaymentAnswer, settleBody, wireChannelState } from '../present'
import type { SeenChannel } from '../verify'
import { payerOfChannel } from './act'
import type { ActAnswer } from './settle'

/** How often a receipt is asked for after its success: a node may be late. */
const TRIES = 5
const PAUSE_MS = 200

/** The receipt of a transaction that landed. Null while no node shows it. */
async function receiptOf(chain: EvmChain, hash: string): Promise<Receipt | null> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const [receipt] = await chain.receipts([`0x${hash.slice(2)}`]).catch(() => [null])
    if (receipt && !(receipt instanceof Error)) return receipt
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return null
}

/** What an act is answered with. */
type ActBody = {
  success: boolean
  transaction: string
  network: string
  amount?: string
  errorReason?: string
  extra?: { leftOut?: { channelId: string; error: string; claimed?: string }[]; channelState?: object }
}

/** The answer to an act. */
export type ActResponse = PaymentAnswer & { body: ActBody }

/** The response of settle to a request about channels, with the fields that official servers read. */
export async function actAnswer(
  app: Pick<App, 'log'>,
  chain: EvmChain,
  request: ChannelRequest,
  answer: ActAnswer,
): Promise<ActResponse> {
  const payer = payerOfChannel(request)
  const common = { network: request.spelling, ...(payer ? { payer } : {}) }
  const unpaid = { network: request.spelling, payer }
  const headers = headersOf(answer.quota)
  const leftOut = answer.leftOut.map(({ claimed, ...row }) => ({
    ...row,
    ...(claimed === undefined ? {} : { claimed: String(claimed) }),
  }))
  const extra = leftOut.length > 0 ? { extra: { leftOut } } : {}
  if (leftOut.length > 0) app.log.warn({ network: request.network, leftOut }, 'rows of a claim were left out')
  if (answer.end === 'judged') {
    const { reason, message } = answer.failure
    return { body: { ...failed(reason, message, ''), ...unpaid }, headers, settled: true, failed: answer.failure }
  }
  if (answer.end === 'done') {
    return { body: { success: true, transaction: answer.transaction, ...common }, headers, settled: true, failed: null }
  }
  const { settled, act } = answer
  const named = { ...headers, 'x-settlement-id': settled.settlementId }
  if (settled.end !== 'landed') {
    const body = settleBody(settled)
    const fault = settled.end === 'failed' ? { reason: settled.reason, message: settled.detail ?? settled.reason } : null
    return { body: { ...body, ...unpaid }, headers: named, settled: settled.end === 'failed', failed: fault }
  }
  const receipt = await receiptOf(chain, settled.transaction)
  // What moved may be less than what was judged: without its events nothing is said of it.
  const amount = receipt && amountIn(receipt, act.transfer)
  const transaction = (amount === 0n && (await strangersSweep(chain, act.transfer))) || settled.transaction
  const state = act.transfer.method === 'batch-refund' ? await stateOf(chain, act.transfer.channelId) : null
  return {
    body: {
      success: true,
      transaction,
      ...common,
      ...(amount === null ? {} : { amount: String(amount) }),
      ...extra,
      ...(state ? { extra: { channelState: wireChannelState(state) } } : {}),
    },
    headers: named,
    settled: true,
    failed: null,
  }
}

/** The transaction that paid out what a sweep would have, where a stranger's was first. Null where none is found. */
async function strangersSweep(chain: EvmChain, transfer: SignedAct): Promise<string | null> {
  if (transfer.method !== 'batch-sweep') return null
  return (await chain.findUse(transfer).catch(() => null))?.hash ?? null
}

/** What a transaction moved or claimed by an act, by its own events. */
function amountIn({ logs }: Receipt, transfer: SignedAct): bigint {
  switch (transfer.method) {
    case 'batch-claim': {
      const claimed = claimedIn(logs)
      return transfer.ids.reduce((sum, id) => sum + (claimed.get(id) ?? 0n), 0n)
    }
    case 'batch-refund':
      return refundedIn(logs, transfer.channelId) ?? 0n
    case 'batch-sweep':
      return sweptIn(logs, transfer.authorization.to, transfer.asset) ?? 0n
  }
}

async function stateOf(chain: EvmChain, id: `0x${string}`): Promise<SeenChannel | null> {
  const [state] = await chain.channels.states([id]).catch(() => [null])
  return state ? { ...state, id } : null
}

/** A payment that is a deposit into a channel. */
export type DepositPayment = EvmPayment<DepositTransfer>

/** The response of settle to a deposit that landed, and the state of its channel: the balance is that of the deposit's own event. */
export async function depositBody(chain: EvmChain, payment: DepositPayment, transaction: string) {
  const { network, spelling, transfer, amount } = payment
  const id = channelIdOf(network, transfer.deposit.channel)
  const [receipt, state] = await Promise.all([receiptOf(chain, transaction), stateOf(chain, id)])
  const balance = receipt ? depositedIn(receipt.logs, id) : null
  const seen = state && { ...state, balance: balance ?? state.balance }
  const body = {
    success: true,
    transaction,
    network: spelling,
    payer: displayAddress(transfer.deposit.channel.payer),
    amount: String(amount),
    ...(seen ? { extra: { channelState: wireChannelState(seen) } } : {}),
  }
  return { body, state: seen }
}

const headersOf = (quota: Quota | null): Record<string, string> => ({ ...API_HEADERS, ...(quota ? quotaHeaders(quota) : {}) })
