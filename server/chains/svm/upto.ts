import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { networkRow, type SvmNetworkId } from '../../x402/networks/networks'
import type { SvmPayment } from '../../x402/payment'
import { type Failure, failure } from '../../x402/reasons/reasons'
import type { SvmTransfer } from '../../x402/schemes/exact/svm/instructions'
import { COMPUTE_BUDGET_PROGRAM } from '../../x402/schemes/exact/svm/programs'
import type { SvmTransaction } from '../../x402/schemes/exact/svm/transaction'
import { readChannelState, type SvmChannelState } from '../../x402/schemes/upto/svm/account'
import { distribute, reclaim, seal, sentUnits, settleAndSeal, simulatedUnits } from '../../x402/schemes/upto/svm/instructions'
import { type BuiltInstruction, unsignedTransaction } from '../../x402/schemes/upto/svm/message'
import { CHANNEL_PROGRAM, OPEN_SLOT_WINDOW, tokensOf, treasuryOf } from '../../x402/schemes/upto/svm/program'
import { channelIn } from '../../x402/schemes/upto/svm/rules'
import type { UptoChannel } from '../../x402/schemes/upto/svm/transfers'
import type { Rpc } from '../rpc'
import { BLOCKHASH_LIFE, type Blockhashes, LEAST_LIFE } from './blockhashes'
import type { SvmJudgement } from './judged'
import { account, count, readSlot, readValue } from './rpc'
import { withoutFeePayerSignature } from './signer'
import { errorText, isFeePayerTrouble, knownFault, simulate, type TransactionError } from './simulation'

/** What is read for a channel. */
type UptoContext = { rpc: Rpc; height: () => Promise<bigint>; blockhashes: Blockhashes }

/** A judgement of a step; `trouble`: our fee payer cannot pay. */
export type UptoJudgement = SvmJudgement | { trouble: 'fee payer' }

const refused = (fault: Failure): SvmJudgement => ({ valid: false, proven: true, ...fault })
const wouldFail = (message: string) => refused(failure('invalid_upto_svm_settlement_simulation', message))
const state = (message: string) => refused(failure('invalid_upto_svm_channel_state', message))

/** Judges a step of a payment whose static rules hold. Throws when no node answers. */
export function judgeUpto(context: UptoContext, payment: SvmPayment): Promise<UptoJudgement> {
  const { transfer, network, charge = 0n } = payment
  if (transfer.kind !== 'svm-upto') throw new Error('a payment without a channel has no steps')
  if (transfer.step !== 'claim') return judgeOpen(context, payment, channelIn(payment))
  const channel = transfer.served?.channel
  if (!channel) throw new Error('a claim without its deposit keeps no rules')
  return judgeClaim(context, network, channel, charge === 0n ? null : { amount: charge, signature: transfer.voucher ?? '' })
}

/**
 * Whether a payer's transaction would open its channel with the compute units that it allows, and whether the channel could then be charged
 * nothing and paid out: everything that a payout needs must exist before the payer's money is in it.
 */
async function judgeOpen(
  { rpc, height, blockhashes }: UptoContext,
  { network, transfer: { transaction } }: SvmPayment,
  channel: UptoChannel,
): Promise<UptoJudgement> {
  blockhashes.prepare()
  const instructions = [simulatedUnits(), ...opening(transaction), ...settleAndSeal(channel, null), distribute(network, channel)]
  const tried = unsignedTransaction(channel.feePayer, transaction.blockhash, instructions)
  if (!tried)
    return wouldFail('The transaction is too long to be tried with the payout of its channel; sign one with a shorter memo.')
  const transfer = {
    ...transferOf(channel, channel.maximum),
    destination: tokensOf(channel.id, channel.asset, channel.tokenProgram),
  }
  const [found, paidOut, opened, newest] = await Promise.all([
    readChannel(rpc, channel),
    trial(rpc, network, tried, channel, transferOf(channel, 0n)),
    trial(rpc, network, transaction, channel, transfer),
    height(),
  ])
  if (found.exists) return refused(failure('invalid_upto_svm_channel_already_open'))
  if ('trouble' in paidOut) return paidOut
  if ('fault' in paidOut) return wouldFail(paidOut.fault)
  if ('trouble' in opened) return opened
  if ('fault' in opened) return wouldFail(opened.fault)
  const { slot, sourceTokens } = opened
  const left = await blockhashes.left(transaction.blockhash, slot)
  if (left !== null && left < LEAST_LIFE)
    return wouldFail(
      `The transaction's blockhash expires in ${left} blocks, and a payment needs ${LEAST_LIFE}; sign again with a new one.`,
    )
  return {
    valid: true,
    transfer,
    height: newest,
    left: left ?? BLOCKHASH_LIFE,
    slot,
    headroom: sourceTokens,
  }
}

/** What a claim moves of a channel: signed as its voucher says, in base58. */
export type ChannelCharge = { amount: bigint; signature: string }
// Without a charge all goes back.
type Charge = ChannelCharge | null

/** As often, and after this pause, the official facilitator asks for what a node may not have seen yet. */
const READS = 6
const PAUSE_MS = 200

async function untilSeen<T>(read: () => Promise<T>, isSeen: (found: T) => boolean): Promise<T> {
  for (let reads = 1; ; reads++) {
    const found = await read()
    if (reads === READS || isSeen(found)) return found
    await delay(PAUSE_MS)
  }
}

/** Judges the claim of a channel. Throws when no node answers, or none has seen the channel yet. */
export async function judgeClaim(
  context: UptoContext,
  network: SvmNetworkId,
  channel: UptoChannel,
  charge: Charge,
): Promise<UptoJudgement> {
  const {
    state: known,
    exists,
    slot,
  } = await untilSeen(
    () => readChannel(context.rpc, channel),
    (found) => found.exists,
  )
  if (!exists && endOfMissing(channel, slot) === 'gone') return state('There is no channel at this address on the chain.')
  // No verdict: a node behind the one that confirmed the deposit would end the charge.
  if (!known) throw new Error(`no node has the channel ${channel.id} as one now`)
  if (!known.isAsked) return state('The channel on the chain has other terms than its deposit.')
  if (known.status !== 'open' && known.status !== 'closing') return state(`The channel is ${known.status} on the chain.`)
  return built(context, network, channel, charge, [...settleAndSeal(channel, charge), distribute(network, channel)])
}

/** How a channel can be ended: what is to be sent, or that nothing is to be sent now. `paid out`: only its rent is left; `unreadable`: money may be in it. */
export type ChannelEnd = { judgement: UptoJudgement } | { end: 'gone' | 'later' | 'unreadable' | 'paid out' }

/** What gives a channel's money back to its payer now. Throws when no node answers. */
export async function judgeClose(context: UptoContext, network: SvmNetworkId, channel: UptoChannel): Promise<ChannelEnd> {
  const { state: known, exists, slot } = await readChannel(context.rpc, channel)
  if (!known) return { end: exists ? 'unreadable' : endOfMissing(channel, slot) }
  if (known.status === 'distributed') return { end: 'paid out' }
  const payout = distribute(network, channel)
  const steps = known.status === 'sealed' ? [payout] : [...settleAndSeal(channel, null), payout]
  const judgement = await built(context, network, channel, null, steps)
  if (known.status !== 'closing' || 'trouble' in judgement || judgement.valid) return { judgement }
  // After the payer's delay anyone may seal the channel. It cannot be charged any more.
  return { judgement: await built(context, network, channel, null, [seal(channel), payout]) }
}

// A channel opens within a window of slots: behind it, a node that knows no account has not just missed the opening.
const endOfMissing = ({ openSlot }: UptoChannel, slot: bigint) => (slot > openSlot + OPEN_SLOT_WINDOW ? 'gone' : 'later')

/** What gives the rent of a paid out channel back. Throws when no node answers. */
export async function judgeReclaim(context: UptoContext, network: SvmNetworkId, channel: UptoChannel): Promise<ChannelEnd> {
  const { state: known, exists, slot } = await readChannel(context.rpc, channel)
  if (!known) return { end: exists ? 'unreadable' : endOfMissing(channel, slot) }
  if (known.status !== 'distributed' || slot <= channel.openSlot + OPEN_SLOT_WINDOW) return { end: 'later' }
  return { judgement: await built(context, network, channel, null, [reclaim(channel)]) }
}

const latest = z.object({ blockhash: z.string(), lastValidBlockHeight: count })

/**
 * A transaction of ours on the newest blockhash, after its simulation. It fails while the payer or payee has no token account. We never open
 * that account: its owner could close it again and keep the rent.
 */
async function built(
  { rpc }: UptoContext,
  network: SvmNetworkId,
  channel: UptoChannel,
  charge: Charge,
  steps: readonly BuiltInstruction[],
): Promise<UptoJudgement> {
  const method = 'getLatestBlockhash'
  const { blockhash, lastValidBlockHeight } = readValue(latest, await rpc(method, [{ commitment: 'confirmed' }]), method)
  const { feePayer, asset, tokenProgram } = channel
  // These exist before and after each of our transactions.
  const watched = {
    ...transferOf(channel, 0n),
    source: tokensOf(feePayer, asset, tokenProgram),
    destination: tokensOf(treasuryOf(network), asset, tokenProgram),
  }
  const transaction = unsignedTransaction(feePayer, blockhash, [...sentUnits(), ...steps])
  if (!transaction) throw new Error('the end of a channel fits into a packet')
  const simulation = await untilSeen(() => trial(rpc, network, transaction, channel, watched), knowsBlockhash)
  // It is a moment old: the node that tried it is behind, and the payer is not at fault.
  if (!knowsBlockhash(simulation)) throw new Error('no node that tries transactions knows the newest blockhash')
  if ('trouble' in simulation) return simulation
  if ('fault' in simulation) return wouldFail(simulation.fault)
  const amount = charge?.amount ?? 0n
  const source = tokensOf(channel.id, channel.asset, channel.tokenProgram)
  return {
    valid: true,
    transfer: { ...transferOf(channel, amount), source },
    height: lastValidBlockHeight - BLOCKHASH_LIFE,
    left: BLOCKHASH_LIFE,
    slot: simulation.slot,
    // Nothing else spends from a channel.
    headroom: channel.maximum,
    built: transaction,
  }
}

const transferOf = ({ payer, payTo, asset, tokenProgram }: UptoChannel, amount: bigint) => ({
  payer,
  source: tokensOf(payer, asset, tokenProgram),
  mint: asset,
  destination: tokensOf(payTo, asset, tokenProgram),
  amount,
})

/** `sourceTokens`: what the source holds afterwards. */
type Trial = { slot: bigint; sourceTokens: bigint } | { fault: string; error: TransactionError } | { trouble: 'fee payer' }

async function trial(
  rpc: Rpc,
  network: SvmNetworkId,
  transaction: SvmTransaction,
  channel: UptoChannel,
  watched: SvmTransfer,
): Promise<Trial> {
  const simulation = await simulate(rpc, withoutFeePayerSignature(transaction), watched)
  if (simulation.ok) return { slot: simulation.slot, sourceTokens: simulation.source.amount }
  const { error, logs } = simulation
  if (isFeePayerTrouble(error)) return { trouble: 'fee payer' }
  const fault = knownFault(error, logs)
  if (fault) return { fault, error }
  const one = await missingAccount(rpc, network, channel)
  return {
    fault: one
      ? `On ${networkRow(network).title} ${one.of} has no account of this token (${one.address}); it must be opened first.`
      : `The transaction would fail on chain: ${errorText(error)}`,
    error,
  }
}

const knowsBlockhash = (tried: Trial) => !('fault' in tried && tried.error === 'BlockhashNotFound')

/** A token account that a payout needs and that does not exist. */
async function missingAccount(
  rpc: Rpc,
  network: SvmNetworkId,
  channel: UptoChannel,
): Promise<{ of: string; address: string } | undefined> {
  const { payer, payTo, feePayer, asset, tokenProgram } = channel
  const needed = [
    { of: 'payTo', owner: payTo },
    { of: 'the payer', owner: payer },
    { of: 'the fee payer', owner: feePayer },
    { of: "the channel program's treasury", owner: treasuryOf(network) },
  ].map((one) => ({ ...one, address: tokensOf(one.owner, asset, tokenProgram) }))
  const method = 'getMultipleAccounts'
  const answer = await rpc(method, [needed.map(({ address }) => address), { commitment: 'confirmed', encoding: 'base64' }])
  const found = readValue(z.array(account.nullable()).length(needed.length), answer, method)
  return needed.find((_, at) => found[at] === null)
}

/** The account of a channel, and the slot of the answer. */
async function readChannel(
  rpc: Rpc,
  channel: UptoChannel,
): Promise<{ exists: boolean; state: SvmChannelState | null; slot: bigint }> {
  const method = 'getAccountInfo'
  const answer = await rpc(method, [channel.id, { commitment: 'confirmed', encoding: 'base64' }])
  const found = readValue(account.nullable(), answer, method)
  const isChannel = found !== null && found.owner === CHANNEL_PROGRAM
  return {
    exists: found !== null,
    state: isChannel ? readChannelState(found.data, channel) : null,
    slot: readSlot(answer, method),
  }
}

/** The instructions of a payer's transaction but those of its compute budget, to be tried with others. */
function opening({ instructions, accounts, signatures, readonly }: SvmTransaction): BuiltInstruction[] {
  const asUsed = (address: string) => {
    const at = accounts.indexOf(address)
    const signs = at < signatures.length
    return {
      address,
      signs,
      writes: signs ? at < signatures.length - readonly.signers : at < accounts.length - readonly.others,
    }
  }
  return instructions.flatMap(({ program, accounts: used, data }) =>
    program === COMPUTE_BUDGET_PROGRAM ? [] : [{ program, accounts: used.map(asUsed), data }],
  )
}
