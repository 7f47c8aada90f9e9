import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { displayAmount } from '@/server/x402/amounts'
import { networks } from '@/server/x402/networks'
import { reasons } from '@/server/x402/reasons'
import { decodedHeader, type EvmTerms, isEvmTerms, paymentHeader, readRequired } from '../wallets/terms'
import { transferFor, transferPayload } from '../wallets/transfer'
import { type Answer, ask, complaint, header, pretty, readable } from './exchange'
import type { Sight, Step, StepName } from './steps'

/** What is bought: the cheapest thing on the sample merchant's menu. */
const PATH = '/weather'

/** What was paid, in words, with the transaction's hash; and the resource that it was paid for, as text. */
export type Bought = { price: string; transaction: string; resource: string }

type Tell = (step: Step) => void
type See = (sight: Sight) => void

/**
 * Buys from the sample merchant with a wallet made for it, which the merchant's faucet gives a little test money, and tells each step as it
 * goes. Throws at the step that failed, in words for whoever pressed the button.
 */
export async function buyOnce(shop: string, tell: Tell): Promise<Bought> {
  const account = privateKeyToAccount(generatePrivateKey())
  await step('fund', tell, (see) => fund(shop, account, see))
  const { resource, terms } = await step('ask', tell, (see) => askTerms(shop, see))
  const payment = await step('sign', tell, (see) => sign(account, resource, terms, see))
  const answer = await step('pay', tell, (see) => pay(shop, payment, see))
  return step('receive', tell, async (see) => receive(answer, terms, see))
}

async function step<T>(name: StepName, tell: Tell, act: (see: See) => Promise<T>): Promise<T> {
  const started = performance.now()
  let sight: Sight | undefined
  tell({ name, state: 'going' })
  const see = (seen: Sight) => {
    sight = seen
    tell({ name, state: 'going', sight })
  }
  const end = (state: 'done' | 'stopped') => {
    tell({ name, state, sight, milliseconds: Math.round(performance.now() - started) })
  }
  try {
    const value = await act(see)
    end('done')
    return value
  } catch (cause) {
    end('stopped')
    throw cause
  }
}

async function fund(shop: string, { address }: PrivateKeyAccount, see: See): Promise<void> {
  const url = `${shop}/faucet/${address}`
  const answer = await ask(url, { method: 'POST' })
  see({
    line: `POST /faucet/${address.slice(0, 8)}… → ${answer.status}`,
    parts: [
      { name: 'sent', text: `POST ${url}` },
      { name: `got ${answer.status}`, text: readable(answer.text) },
    ],
  })
  if (answer.status === 200) return
  const wait = answer.status === 429 ? 'Wait a minute' : 'See what the demo says in its terminal'
  throw new Error(`The local world gave no test money: ${complaint(answer)}. ${wait}, then try again.`)
}

async function askTerms(shop: string, see: See): Promise<{ resource: unknown; terms: EvmTerms }> {
  const url = `${shop}${PATH}`
  const answer = await ask(url)
  const offered = answer.headers.get('payment-required')
  const required = answer.status === 402 && offered ? readRequired(offered) : null
  const terms = required?.accepts.find(isEvmTerms)
  see({
    line: `GET ${PATH} → ${answer.status}${terms ? `: ${priceOf(terms)}` : ''}`,
    parts: [{ name: 'sent', text: `GET ${url}` }, ...(offered ? [header('got PAYMENT-REQUIRED', offered)] : [])],
  })
  if (required && terms) return { resource: required.resource, terms }
  throw new Error(
    required
      ? 'The merchant sells this only where this page has no wallet.'
      : `The merchant named no price: ${complaint(answer)}. See what the demo says in its terminal, then try again.`,
  )
}

async function sign(account: PrivateKeyAccount, resource: unknown, terms: EvmTerms, see: See): Promise<string> {
  const transfer = transferFor(terms, account.address)
  const signature = await account.signTypedData(transfer)
  see({
    line: `${transfer.primaryType} → ${signature.slice(0, 10)}…`,
    parts: [
      { name: 'the EIP-712 data', text: pretty(transfer) },
      { name: 'its signature', text: signature },
    ],
  })
  return paymentHeader(resource, terms, transferPayload(transfer, signature))
}

async function pay(shop: string, payment: string, see: See): Promise<Answer> {
  const line = `GET ${PATH} with PAYMENT-SIGNATURE`
  const parts = [{ name: 'sent', text: `GET ${shop}${PATH}` }, header('sent PAYMENT-SIGNATURE', payment)]
  see({ line, parts })
  const answer = await ask(`${shop}${PATH}`, { headers: { 'payment-signature': payment } })
  see({ line: `${line} → ${answer.status}`, parts })
  return answer
}

const receipt = z.object({ success: z.boolean(), transaction: z.string(), errorReason: z.string().optional() })
const challenge = z.object({ error: z.string() })

function receive(answer: Answer, terms: EvmTerms, see: See): Bought {
  const told = answer.headers.get('payment-response')
  const { success, transaction, errorReason } = receipt.parse(told ? decodedHeader(told) : { success: false, transaction: '' })
  see({
    line: `${answer.status}, PAYMENT-RESPONSE: ${success ? 'success' : 'no success'}`,
    parts: [
      ...(told ? [header('got PAYMENT-RESPONSE', told)] : []),
      { name: `got ${answer.status}`, text: readable(answer.text) },
    ],
  })
  if (answer.status === 200 && success) return { price: priceOf(terms), transaction, resource: readable(answer.text) }
  throw new Error(`The merchant delivered nothing: ${errorReason ? wordsFor(errorReason) : challengeIn(answer)}`)
}

function wordsFor(reason: string): string {
  const texts: Record<string, string> = reasons
  return `${texts[reason] ?? reason} Trying again makes a new wallet and a new payment.`
}

// The 402 to a payment that was refused repeats what the facilitator said.
function challengeIn(answer: Answer): string {
  const again = answer.headers.get('payment-required')
  const { data } = challenge.safeParse(again ? decodedHeader(again) : null)
  return `${data?.error ?? complaint(answer)}. See what the demo says in its terminal, then try again.`
}

function priceOf({ amount, network }: EvmTerms): string {
  return `${displayAmount(BigInt(amount))} USDC on ${networks[network].title}`
}
