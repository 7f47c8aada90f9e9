import { networkRow } from '../../x402/networks'
import type { EvmPayment } from '../../x402/payment'
import { brokenForm, brokenTerms, methodOf } from '../../x402/schemes/evm'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { normalSignature } from '../../x402/signatures'
import { type Rpc, unreachable } from '../rpc'
import type { BatchedCall } from './capped-calls'
import { clockAt, type Factories, type Judgement, judgeOnChain, signedByKey } from './judgement'
import { type Head, isExecutionFailure, readHead } from './rpc'
import { callInBatch } from './transactions'
import { readTrials, TRIALS_MAX, type TrialTarget, trialOf } from './trials'

/** A payment to judge, and the clock in Unix seconds. */
export type Asked = { payment: EvmPayment; now: bigint }

/**
 * Judges payments on the newest block. Those that their payers' keys signed share a call, which only finds the good ones: each other
 * payment is judged alone. So a good payment waits for no other payment than those of its call. Each rejects when the node does not
 * answer.
 */
export function judgeTogether(rpc: Rpc, asked: readonly Asked[], factories?: Factories): Promise<Judgement>[] {
  const trials = trialsOf(asked).filter(({ members }) => members.length > 1)
  const found = new Map<Asked, Promise<Map<Asked, Judgement>>>()
  const network = asked[0]?.payment.network
  if (network && trials.length > 0) {
    const head = readHead(rpc, network)
    for (const trial of trials) {
      const finding = tryOut(rpc, trial, head)
      for (const { asked: one } of trial.members) found.set(one, finding)
    }
  }
  return asked.map(async (one) => (await found.get(one))?.get(one) ?? judgeOnChain(rpc, one.payment, one.now, factories))
}

/** One payment of a trial, with the transfer to try. */
type Tried = { asked: Asked; transfer: SignedTransfer; call: BatchedCall }
type Trial = { target: TrialTarget; members: Tried[] }

/**
 * Groups of payments that one call can try: by one contract, signed by keys, and none of a group pays or is paid from the account of
 * another. So each result is what the payment alone would have.
 */
function trialsOf(asked: readonly Asked[]): Trial[] {
  const trials: (Trial & { payers: Set<string>; payees: Set<string> })[] = []
  for (const one of asked) {
    if (!signedByKey(one.payment)) continue
    const method = methodOf(one.payment)
    const transfer = method.transfer(one.payment, {
      proof: 'key',
      signature: normalSignature(one.payment.transfer.signature),
      byKey: true,
    })
    const call = callInBatch(one.payment.network, transfer)
    const target = { to: method.contract(transfer), payerWord: method.payerWord(transfer) }
    const { from: payer, to: payee } = transfer.authorization
    const trial = trials.find(
      (some) =>
        some.target.to === target.to &&
        some.target.payerWord === target.payerWord &&
        some.members.length < TRIALS_MAX &&
        !some.payers.has(payer) &&
        !some.payers.has(payee) &&
        !some.payees.has(payer),
    ) ?? { target, payers: new Set(), payees: new Set(), members: [] }
    if (trial.members.length === 0) trials.push(trial)
    trial.members.push({ asked: one, transfer, call })
    trial.payers.add(payer)
    trial.payees.add(payee)
  }
  return trials
}

/** The members that the contract would take now. Throws when the node does not answer. */
async function tryOut(rpc: Rpc, { target, members }: Trial, newest: Promise<Head>): Promise<Map<Asked, Judgement>> {
  const [first] = members
  if (!first) return new Map()
  try {
    const calls = members.map(({ call }) => call)
    const [head, answer] = await Promise.all([
      newest,
      rpc('eth_call', [trialOf(target, calls), 'latest']).catch((error: unknown) => {
        if (isExecutionFailure(error)) return null
        throw error
      }),
    ])
    // A node that limits the gas of a call fails it as a whole: that says nothing about any member.
    if (answer === null) return new Map()
    const results = readTrials(answer, members.length)
    const good = new Map<Asked, Judgement>()
    for (const [at, { asked, transfer }] of members.entries()) {
      const { paid = false, hasCode = true } = results[at] ?? {}
      const clock = clockAt(asked.now, head.timestamp)
      if (!paid || hasCode || brokenForm(asked.payment, clock) || brokenTerms(asked.payment, clock)) continue
      good.set(asked, { valid: true, transfer, baseFee: head.baseFee, block: head.number })
    }
    return good
  } catch (cause) {
    throw unreachable(networkRow(first.asked.payment.network).title, cause)
  }
}
