import { z } from 'zod'
import { ServiceError } from '../../base/errors'
import { networkRow } from '../../x402/networks/networks'
import type { SvmPayment } from '../../x402/payment'
import type { Failure } from '../../x402/reasons/reasons'
import { hasOrdinaryLayout, transferIn } from '../../x402/schemes/exact/svm/rules'
import { type Rpc, unreachable } from '../rpc'
import { BLOCKHASH_LIFE, type Blockhashes, LEAST_LIFE } from './blockhashes'
import type { SvmJudgement } from './judged'
import { type Account, account, readValue } from './rpc'
import { withoutFeePayerSignature } from './signer'
import {
  accountFault,
  isFeePayerTrouble,
  knownFault,
  ownerFault,
  readTokenAccount,
  simulate,
  simulationFailure,
  TOKEN_ACCOUNT_BYTES,
} from './simulation'
import { simulateSmartWallet, smartFailure, smartOwnerFault } from './smart-wallet'
import { judgeUpto } from './upto'

/** What the judgement reads: the node, the newest height, and how long blockhashes live. */
type JudgementContext = { rpc: Rpc; height: () => Promise<bigint>; blockhashes: Blockhashes }

/**
 * The judgement of a payment whose static rules hold, in one round trip: a simulation on the newest confirmed block, the height and the
 * newest blockhashes. An unclear failure or a newer blockhash costs one more. Throws `upstream` when the node does not answer, and
 * `unavailable` when our fee payer fails.
 */
export async function judgePayment(context: JudgementContext, payment: SvmPayment): Promise<SvmJudgement> {
  return (await examinePayment(context, payment)).judgement
}

/** What the cluster said of a payment: the slot, the blocks left of its blockhash, and the payer's balance. Null where it was not read. */
type SvmFacts = { slot: bigint | null; left: bigint | null; balance: bigint | null }

/** A judgement with what it was made from. */
export type SvmExamination = { judgement: SvmJudgement; facts: SvmFacts }

/** As `judgePayment`, with what the cluster said. */
export async function examinePayment(
  { rpc, height, blockhashes }: JudgementContext,
  payment: SvmPayment,
): Promise<SvmExamination> {
  if (payment.transfer.kind === 'svm-upto') return examineUpto({ rpc, height, blockhashes }, payment)
  const { transaction } = payment.transfer
  const transfer = hasOrdinaryLayout(transaction) ? transferIn(transaction) : null
  if (!transfer) return examineSmartWallet({ rpc, height, blockhashes }, payment)
  const { title } = networkRow(payment.network)
  blockhashes.prepare()
  const [simulation, newest] = await answered(
    title,
    Promise.all([simulate(rpc, withoutFeePayerSignature(transaction), transfer), height()]),
  )
  if (simulation.ok) {
    const { slot, source } = simulation
    const facts = { slot, left: null, balance: source.amount + transfer.amount }
    const fault = ownerFault(payment, transfer, simulation)
    if (fault) return { judgement: failed(fault), facts }
    const left = await blockhashes.left(transaction.blockhash, slot)
    if (left !== null && left < LEAST_LIFE) {
      return { judgement: failed(simulationFailure(payment, tooOld(left))), facts: { ...facts, left } }
    }
    const judgement = {
      valid: true,
      transfer,
      height: newest,
      left: left ?? BLOCKHASH_LIFE,
      slot,
      headroom: source.amount,
    } as const
    return { judgement, facts: { ...facts, left } }
  }
  const { error, logs } = simulation
  if (isFeePayerTrouble(error)) throw cannotPayFees(title)
  const fault = knownFault(error, logs)
  if (fault) return { judgement: failed(simulationFailure(payment, fault)), facts: NOTHING_READ }
  const accounts = await answered(title, readAccounts(rpc, transfer))
  const balance = (accounts.source && readTokenAccount(accounts.source)?.amount) ?? null
  return { judgement: failed(accountFault(payment, transfer, accounts, error)), facts: { ...NOTHING_READ, balance } }
}

/**
 * Examines a smart wallet's payment: its transfer is what its simulation shows, whose accounts are then read. The other rules hold
 * already, so no instruction can use our fee payer.
 */
async function examineSmartWallet({ rpc, height, blockhashes }: JudgementContext, payment: SvmPayment): Promise<SvmExamination> {
  const { title } = networkRow(payment.network)
  blockhashes.prepare()
  const [simulated, newest] = await answered(title, Promise.all([simulateSmartWallet(rpc, payment), height()]))
  if ('trouble' in simulated) throw cannotPayFees(title)
  if ('failed' in simulated) return { judgement: failed(simulated.failed), facts: NOTHING_READ }
  const { paid, slot } = simulated
  const accounts = await answered(title, readAccounts(rpc, paid))
  const source = accounts.source && readTokenAccount(accounts.source)
  const destination = accounts.destination && readTokenAccount(accounts.destination)
  const facts = { slot, left: null, balance: source?.amount ?? null }
  const fault = smartOwnerFault(payment, paid, { source, destination })
  if (fault) return { judgement: failed(fault), facts }
  const left = await blockhashes.left(payment.transfer.transaction.blockhash, slot)
  if (left !== null && left < LEAST_LIFE) return { judgement: failed(smartFailure(tooOld(left))), facts: { ...facts, left } }
  const rest = (source?.amount ?? 0n) - paid.amount
  const judgement = {
    valid: true as const,
    transfer: paid,
    height: newest,
    left: left ?? BLOCKHASH_LIFE,
    slot,
    // The wallet may fill the account in the same transaction.
    headroom: rest > 0n ? rest : 0n,
  }
  return { judgement, facts: { ...facts, left } }
}

async function examineUpto(context: JudgementContext, payment: SvmPayment): Promise<SvmExamination> {
  const { title } = networkRow(payment.network)
  const judged = await answered(title, judgeUpto(context, payment))
  if ('trouble' in judged) throw cannotPayFees(title)
  return { judgement: judged, facts: NOTHING_READ }
}

const NOTHING_READ: SvmFacts = { slot: null, left: null, balance: null }

const failed = (fault: Failure) => ({ valid: false, proven: true, ...fault }) as const

const tooOld = (left: bigint) =>
  `The transaction's blockhash expires in ${left} blocks, and a payment needs ${LEAST_LIFE}; sign again with a new one.`

async function readAccounts(
  rpc: Rpc,
  { source, destination }: { source: string; destination: string },
): Promise<{ source: Account | null; destination: Account | null }> {
  const method = 'getMultipleAccounts'
  // The payer names the source, which may be any account: one byte more than a token account shows that it is longer.
  const dataSlice = { offset: 0, length: TOKEN_ACCOUNT_BYTES + 1 }
  const options = { commitment: 'confirmed', encoding: 'base64', dataSlice }
  const answer = await rpc(method, [[source, destination], options], 'alone')
  const pair = z.tuple([account.nullable(), account.nullable()])
  const [first, second] = readValue(pair, answer, method)
  return { source: first, destination: second }
}

function answered<T>(title: string, request: Promise<T>): Promise<T> {
  return request.catch((cause: unknown) => {
    throw unreachable(title, cause)
  })
}

function cannotPayFees(title: string): ServiceError {
  return new ServiceError('unavailable', `the fee payer on ${title} is short of SOL; nothing was sent, try again later`, {
    reason: 'facilitator_unavailable',
    retryAfterSeconds: 60,
  })
}
