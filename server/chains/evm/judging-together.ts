import type { Hex } from 'viem'
import { networkRow } from '../../x402/networks'
import type { Eip3009Payment } from '../../x402/payment'
import { brokenTerms } from '../../x402/schemes/exact-evm/rules'
import { normalSignature } from '../../x402/signatures'
import { type Rpc, unreachable } from '../rpc'
import { transferCall } from './calldata'
import { clockAt, type Judgement, judgeOnChain, signedByKey } from './judgement'
import { type Head, isExecutionFailure, readHead } from './rpc'
import { GAS_IN_BATCH } from './transactions'
import { readTrials, TRIALS_MAX, trialOf } from './trials'

/** A payment to judge, and the clock in Unix seconds. */
export type Asked = { payment: Eip3009Payment; now: bigint }

/**
 * Judges payments on the newest block. Those that their payers' keys signed share a call, which only finds the good ones: each other
 * payment is judged alone. So a good payment waits for no other payment than those of its call. Each rejects when the node does not
 * answer.
 */
export function judgeTogether(rpc: Rpc, asked: readonly Asked[]): Promise<Judgement>[] {
  const trials = trialsOf(asked).filter((trial) => trial.length > 1)
  const found = new Map<Asked, Promise<Map<Asked, Judgement>>>()
  if (trials.length > 0) {
    const head = readHead(rpc)
    for (const trial of trials) {
      const finding = tryOut(rpc, trial, head)
      for (const one of trial) found.set(one, finding)
    }
  }
  return asked.map(async (one) => (await found.get(one))?.get(one) ?? judgeOnChain(rpc, one.payment, one.now))
}

/**
 * Groups of payments that one call can try: of one token, signed by keys, and none of a group pays or is paid from the account of
 * another. So each result is what the payment alone would have.
 */
function trialsOf(asked: readonly Asked[]): Asked[][] {
  const trials: { asset: Hex; payers: Set<string>; payees: Set<string>; members: Asked[] }[] = []
  for (const one of asked) {
    if (!signedByKey(one.payment)) continue
    const { asset, transfer } = one.payment
    const payer = transfer.authorization.from.toLowerCase()
    const payee = transfer.authorization.to.toLowerCase()
    const trial = trials.find(
      (some) =>
        some.asset === asset &&
        some.members.length < TRIALS_MAX &&
        !some.payers.has(payer) &&
        !some.payers.has(payee) &&
        !some.payees.has(payer),
    ) ?? { asset, payers: new Set(), payees: new Set(), members: [] }
    if (trial.members.length === 0) trials.push(trial)
    trial.members.push(one)
    trial.payers.add(payer)
    trial.payees.add(payee)
  }
  return trials.map(({ members }) => members)
}

/** The members that the token would take now. Throws when the node does not answer. */
async function tryOut(rpc: Rpc, trial: readonly Asked[], newest: Promise<Head>): Promise<Map<Asked, Judgement>> {
  const [first] = trial
  if (!first) return new Map()
  const signatures = trial.map(({ payment }) => normalSignature(payment.transfer.signature))
  const calls = trial.map(({ payment }, at) => ({
    data: transferCall(payment.transfer.authorization, signatures[at] ?? '0x', 'key'),
    gas: GAS_IN_BATCH.key,
  }))
  try {
    const [head, answer] = await Promise.all([
      newest,
      rpc('eth_call', [trialOf(first.payment.asset, calls), 'latest']).catch((error: unknown) => {
        if (isExecutionFailure(error)) return null
        throw error
      }),
    ])
    // A node that limits the gas of a call fails it as a whole: that says nothing about any member.
    if (answer === null) return new Map()
    const results = readTrials(answer, trial.length)
    const good = new Map<Asked, Judgement>()
    for (const [at, one] of trial.entries()) {
      const { paid = false, hasCode = true } = results[at] ?? {}
      if (!paid || hasCode || brokenTerms(one.payment, clockAt(one.now, head.timestamp))) continue
      const signature = signatures[at] ?? '0x'
      good.set(one, { valid: true, proof: 'key', signature, baseFee: head.baseFee, block: head.number })
    }
    return good
  } catch (cause) {
    throw unreachable(networkRow(first.payment.network).title, cause)
  }
}
