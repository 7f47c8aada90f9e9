import type { Address } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { displayMoney } from '@/server/x402/networks/amounts'
import { assetAt, USDC } from '@/server/x402/networks/assets'
import { networkRow } from '@/server/x402/networks/networks'
import { reasons } from '@/server/x402/reasons/reasons'
import { RECEIPT_EXTENSION } from '@/server/x402/receipt-extension'
import { decodedHeader, type EvmTerms, isEvmTerms, paymentHeader, readRequired } from '../wallets/terms'
import { type Transfer, transferFor, transferPayload } from '../wallets/transfer'
import { type Answer, errorIn, header, pretty, readable, request } from './exchange'
import type { Step, StepMessages, StepName } from './steps'

/** The cheapest resource of the sample merchant. */
const PATH = '/weather'

/** The price as text, the transaction hash, the resource as text, and the signed receipt if the merchant passed it on. */
export type Bought = { price: string; transaction: string; resource: string; receipt: string | null }

export type Report = (step: Step) => void
export type Show = (messages: StepMessages) => void

/** Buys from the sample merchant with a new wallet funded by its faucet, and reports each step. Throws a message for the user. */
export async function buyOnce(merchantUrl: string, report: Report): Promise<Bought> {
  const account = privateKeyToAccount(generatePrivateKey())
  await step('fund', report, (show) => fund(merchantUrl, account, show))
  const { resource, terms } = await step('ask', report, (show) => askTerms(merchantUrl, show))
  const payment = await step('sign', report, (show) => sign(account, resource, terms, show))
  const answer = await step('pay', report, (show) => pay(merchantUrl, payment, show))
  return step('receive', report, async (show) => receive(answer, terms, show))
}

/** Runs a step of a payment and reports its start, its messages and its end. Passes on what it throws. */
export async function step<T>(name: StepName, report: Report, act: (show: Show) => Promise<T>): Promise<T> {
  const started = performance.now()
  let messages: StepMessages | undefined
  report({ name, state: 'running' })
  const show = (seen: StepMessages) => {
    messages = seen
    report({ name, state: 'running', messages })
  }
  const end = (state: 'done' | 'failed') => {
    report({ name, state, messages, milliseconds: Math.round(performance.now() - started) })
  }
  try {
    const value = await act(show)
    end('done')
    return value
  } catch (cause) {
    end('failed')
    throw cause
  }
}

/** Sends test money of the sample merchant's faucet to a new wallet. Throws a message for the user. */
export async function fund(merchantUrl: string, { address }: Pick<PrivateKeyAccount, 'address'>, show: Show): Promise<void> {
  const url = `${merchantUrl}/faucet/${address}`
  const answer = await request(url, { method: 'POST' })
  show({
    line: `POST /faucet/${address.slice(0, 8)}… → ${answer.status}`,
    parts: [
      { name: 'Sent', text: `POST ${url}` },
      { name: `Received ${answer.status}`, text: readable(answer.text) },
    ],
  })
  if (answer.status === 200) return
  const wait = answer.status === 429 ? 'Wait a minute' : 'Check the terminal of the demo'
  throw new Error(`The faucet sent no test money: ${errorIn(answer)}. ${wait}, then try again.`)
}

async function askTerms(merchantUrl: string, show: Show): Promise<{ resource: unknown; terms: EvmTerms }> {
  const url = `${merchantUrl}${PATH}`
  const answer = await request(url)
  const offered = answer.headers.get('payment-required')
  const required = answer.status === 402 && offered ? readRequired(offered) : null
  const terms = required?.accepts.find(isEvmTerms)
  show({
    line: `GET ${PATH} → ${answer.status}${terms ? `: ${priceOf(terms)}` : ''}`,
    parts: [{ name: 'Sent', text: `GET ${url}` }, ...(offered ? [header('Received PAYMENT-REQUIRED', offered)] : [])],
  })
  if (required && terms) return { resource: required.resource, terms }
  throw new Error(
    required
      ? 'The merchant sells this only on networks that this page cannot pay on.'
      : `The merchant named no price: ${errorIn(answer)}. Check the terminal of the demo, then try again.`,
  )
}

async function sign(account: PrivateKeyAccount, resource: unknown, terms: EvmTerms, show: Show): Promise<string> {
  return paymentHeader(resource, terms, await signTransfer(account, terms, show))
}

/** An account that signs transfers: a key of this page, or a wallet. */
export type Signer = { address: Address; signTypedData: (transfer: Transfer) => Promise<string> }

/** Signs the transfer of these terms and returns the payload of the payment. */
export async function signTransfer(account: Signer, terms: EvmTerms, show: Show) {
  const transfer = transferFor(terms, account.address)
  const signature = await account.signTypedData(transfer)
  show({
    line: `${transfer.primaryType} → ${signature.slice(0, 10)}…`,
    parts: [
      { name: 'EIP-712 message', text: pretty(transfer) },
      { name: 'Signature', text: signature },
    ],
  })
  return transferPayload(transfer, signature)
}

async function pay(merchantUrl: string, payment: string, show: Show): Promise<Answer> {
  const line = `GET ${PATH} with PAYMENT-SIGNATURE`
  const parts = [{ name: 'Sent', text: `GET ${merchantUrl}${PATH}` }, header('Sent PAYMENT-SIGNATURE', payment)]
  show({ line, parts })
  const answer = await request(`${merchantUrl}${PATH}`, { headers: { 'payment-signature': payment } })
  show({ line: `${line} → ${answer.status}`, parts })
  return answer
}

const signed = z.object({ [RECEIPT_EXTENSION]: z.object({ info: z.object({ receipt: z.string() }) }) })
const receipt = z.object({
  success: z.boolean(),
  transaction: z.string(),
  errorReason: z.string().optional(),
  extensions: signed.optional().catch(undefined),
})
const challenge = z.object({ error: z.string() })

function receive(answer: Answer, terms: EvmTerms, show: Show): Bought {
  const sent = answer.headers.get('payment-response')
  const { success, transaction, errorReason, extensions } = receipt.parse(
    sent ? decodedHeader(sent) : { success: false, transaction: '' },
  )
  show({
    line: `${answer.status}, PAYMENT-RESPONSE: ${success ? 'success' : 'failure'}`,
    parts: [
      ...(sent ? [header('Received PAYMENT-RESPONSE', sent)] : []),
      { name: `Received ${answer.status}`, text: readable(answer.text) },
    ],
  })
  if (answer.status === 200 && success) {
    const proof = extensions?.[RECEIPT_EXTENSION].info.receipt ?? null
    return { price: priceOf(terms), transaction, resource: readable(answer.text), receipt: proof }
  }
  throw new Error(`The merchant delivered nothing: ${errorReason ? reasonText(errorReason) : challengeIn(answer)}`)
}

/** A reason of the service in words, for a payment of a new wallet. */
export function reasonText(reason: string): string {
  const texts: Record<string, string> = reasons
  return `${texts[reason] ?? reason} A retry uses a new wallet and a new payment.`
}

// The 402 after a refused payment repeats the facilitator's error.
function challengeIn(answer: Answer): string {
  const repeated = answer.headers.get('payment-required')
  const { data } = challenge.safeParse(repeated ? decodedHeader(repeated) : null)
  return `${data?.error ?? errorIn(answer)}. Check the terminal of the demo, then try again.`
}

/** The price of terms as text. */
export function priceOf({ amount, network, asset }: EvmTerms): string {
  return `${displayMoney(BigInt(amount), assetAt(network, asset) ?? USDC)} on ${networkRow(network).title}`
}
