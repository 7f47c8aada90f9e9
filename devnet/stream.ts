import { formatUnits } from 'viem'
import type { PaidAnswer, Payer } from './payer'
import { paymentProblem } from './print'

/** The answers that one run buys. */
const ANSWERS = 100
/** The answers of a printed line. */
const LINE = 10

type Says = (line: string) => void

/**
 * Buys a hundred answers through one channel, and takes back what is left of the deposit behind the claim of what was charged. Says how long
 * each answer took. Throws if one is not paid.
 */
export async function buyStream({ pay, refund }: Payer, url: string, say: Says): Promise<void> {
  const { pathname: path } = new URL(url)
  const first = await bought(pay, url, path)
  say(
    `The first answer deposits ${usdc(depositOf(first))} into a channel, in ${first.milliseconds} ms: ${first.receipt?.transaction}`,
  )
  let charged = chargeOf(first)
  let times: number[] = []
  const all: number[] = []
  for (let at = 2; at <= ANSWERS; at++) {
    const answer = await bought(pay, url, path)
    charged += chargeOf(answer)
    times.push(answer.milliseconds)
    all.push(answer.milliseconds)
    if (at % LINE > 0) continue
    say(`Answers to ${String(at).padStart(3)}, each by a voucher, in ms: ${times.join(' ')}`)
    times = []
  }
  const median = all.toSorted((one, other) => one - other)[all.length >> 1] ?? 0
  say(`${ANSWERS} answers cost ${usdc(charged)}; half of the vouchers took ${median} ms or less.`)
  say(`The merchant claims it, and the rest goes back, in one transaction: ${await refund(url)}`)
}

async function bought(pay: Payer['pay'], url: string, path: string): Promise<PaidAnswer> {
  const answer = await pay(url)
  const problem = paymentProblem(path, answer)
  if (problem) throw new Error(problem)
  return answer
}

const usdc = (amount: bigint): string => `${formatUnits(amount, 6)} USDC`

/** What an answer charged, by the receipt's record of the channel. */
const chargeOf = ({ receipt }: PaidAnswer): bigint => BigInt(Object(receipt?.extra).chargedAmount ?? 0)

const depositOf = ({ receipt }: PaidAnswer): bigint => BigInt(receipt?.amount || 0)
