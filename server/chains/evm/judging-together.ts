import { networkRow } from '../../x402/networks/networks'
import type { EvmPayment } from '../../x402/payment'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { brokenForm, brokenTerms, methodOf } from '../../x402/schemes/evm-methods'
import { normalSignature } from '../../x402/signatures'
import { type Rpc, unreachable } from '../rpc'
import type { BatchedCall } from './capped-calls'
import { clockAt, type Factories, type Judgement, judgeOnChain, signedByKey } from './judgement'
import { type Head, isExecutionFailure, readHead } from './rpc'
import { callInBatch } from './transactions'
import { readTrials, TRIALS_MAX, type TrialTarget, trialOf } from './trials'

/** A payment to judge, and the clock in Unix seconds. */
export type JudgingRequest = { payment: EvmPayment; now: bigint }

/**
 * Judges payments on the newest block. Those that their payers' keys signed share a call, which only finds the good ones: each other
 * payment is judged alone. So a good payment waits for no other payment than those of its call. Each rejects when the node does not
 * answer.
 */
export function judgeTogether(rpc: Rpc, requests: readonly JudgingRequest[], factories?: Factories): Promise<Judgement>[] {
  const trials = trialsOf(requests).filter(({ members }) => members.length > 1)
  const found = new Map<JudgingRequest, Promise<Map<JudgingRequest, Judgement>>>()
  const network = requests[0]?.payment.network
  if (network && trials.length > 0) {
    const head = readHead(rpc, network)
    for (const trial of trials) {
      const finding = tryOut(rpc, trial, head)
      for (const { request } of trial.members) found.set(request, finding)
    }
  }
  return requests.map(
    async (request) => (await found.get(request))?.get(request) ?? judgeOnChain(rpc, request.payment, request.now, factories),
  )
}

/** One payment of a trial, with the transfer to try. */
type Tried = { request: JudgingRequest; transfer: SignedTransfer; call: BatchedCall }
type Trial = { target: TrialTarget; members: Tried[] }

/**
 * Groups of payments that one call can try: by one contract, signed by keys, and none of a group pays or is paid from the account of
 * another. So each result is what the payment alone would have.
 */
function trialsOf(requests: readonly JudgingRequest[]): Trial[] {
  const trials: (Trial & { payers: Set<string>; payees: Set<string> })[] = []
  for (const request of requests) {
    if (!signedByKey(request.payment)) continue
    const method = methodOf(request.payment)
    const transfer = method.transfer(request.payment, {
      proof: 'key',
      signature: normalSignature(request.payment.transfer.signature),
      byKey: true,
    })
    // No call of many can make it, or more must hold than that it can be made.
    if (method.sender(transfer) !== null || !method.simulationSuffices) continue
    const call = callInBatch(request.payment.network, transfer)
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
    trial.members.push({ request, transfer, call })
    trial.payers.add(payer)
    trial.payees.add(payee)
  }
  return trials
}

/** The members that the contract would take now. Throws when the node does not answer. */
async function tryOut(rpc: Rpc, { target, members }: Trial, newest: Promise<Head>): Promise<Map<JudgingRequest, Judgement>> {
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
    const good = new Map<JudgingRequest, Judgement>()
    for (const [at, { request, transfer }] of members.entries()) {
      const { paid = false, hasCode = true } = results[at] ?? {}
      const clock = clockAt(request.now, head.timestamp)
      if (!paid || hasCode || brokenForm(request.payment, clock) || brokenTerms(request.payment, clock)) continue
      good.set(request, { valid: true, transfer, baseFee: head.baseFee, block: head.number })
    }
    return good
  } catch (cause) {
    throw unreachable(networkRow(first.request.payment.network).title, cause)
  }
}
