import { setTimeout as delay } from 'node:timers/promises'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import * as chains from 'viem/chains'
import { fieldOf } from '../payment-key'
import { InvalidReceipt, verifyReceipt } from '../receipt'

type PayOptions = {
  /** The facilitator URL that explains, lists and signs receipts. */
  url: string
  /** Gives test money to a new wallet; by default the demo's, where the facilitator is local. */
  faucet: string | undefined
}

/** A wallet with real money pays nothing here. */
const TEST_NETWORKS = Object.values(chains).flatMap(({ id, testnet }) => (testnet ? [`eip155:${id}` as const] : []))
const FAUCET_OF_THE_DEMO = 'http://localhost:4021'
const CIRCLE = 'https://faucet.circle.com'
/** The catalog is written after the answer. */
const LISTED_MS = 15_000
const POLL_MS = 1_000

/** Pays a URL once with test money and prints the answer, the receipt, its place in the catalog, and what explain says of its price. */
export async function pay(route: string, { url, faucet }: PayOptions): Promise<void> {
  const asked = await fetch(route).catch(() => null)
  if (asked === null) throw new Error(`Nothing answers at ${route}.`)
  const offer = asked.headers.get('payment-required')
  if (asked.status !== 402 || offer === null) throw new Error(`${route} asks for no payment: it answered ${asked.status}`)
  await explain(url, offer)

  const answer = await wrapFetchWithPayment(
    fetch,
    registerExactEvmScheme(new x402Client(), { signer: await wallet(url, faucet), networks: TEST_NETWORKS }),
  )(route)
  const header = answer.headers.get('payment-response')
  const settled = header === null ? null : decodePaymentResponseHeader(header)
  if (!answer.ok) {
    const reason = settled?.errorReason ?? fieldOf(refusalIn(answer), 'error') ?? 'no reason given'
    throw new Error(`Not paid  ${answer.status}: ${String(reason)}`)
  }
  console.log(`Paid      ${answer.status} ${(await answer.text()).slice(0, 200)}`)
  console.log(`          tx ${settled?.transaction ?? 'unknown'}`)
  await printReceipt(settled?.extensions, url)
  await printListing(url, route)
}

/** The offer of a second 402 has the reason. */
function refusalIn(answer: Response): unknown {
  const offer = answer.headers.get('payment-required')
  return offer === null ? null : JSON.parse(Buffer.from(offer, 'base64').toString())
}

/** The account that pays: that of `PRIVATE_KEY`, else a new one with money from a faucet. */
async function wallet(url: string, faucet: string | undefined) {
  const key = process.env.PRIVATE_KEY
  if (key !== undefined) {
    if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw new Error('PRIVATE_KEY is no private key: it has 0x and 64 hex digits')
    return privateKeyToAccount(`0x${key.slice(2)}`)
  }
  const account = privateKeyToAccount(generatePrivateKey())
  const isLocal = ['localhost', '127.0.0.1'].includes(new URL(url).hostname)
  const source = faucet ?? (isLocal ? FAUCET_OF_THE_DEMO : null)
  const given = source === null ? null : await fetch(`${source}/faucet/${account.address}`, { method: 'POST' }).catch(() => null)
  if (given?.ok) return account
  throw new Error(
    `Not paid  no test money: set PRIVATE_KEY to a wallet with test USDC (${CIRCLE}, Base Sepolia), or name a --faucet.`,
  )
}

async function printReceipt(extensions: unknown, url: string): Promise<void> {
  const receipt = fieldOf(fieldOf(fieldOf(extensions, 'settlement-receipt'), 'info'), 'receipt')
  if (typeof receipt !== 'string') return console.log('Receipt   none: the facilitator signs none')
  const checked = await verifyReceipt(receipt, url).catch((cause: unknown) => {
    if (cause instanceof InvalidReceipt) return cause
    throw cause
  })
  if (checked instanceof InvalidReceipt) {
    process.exitCode = 1
    return console.log(`Receipt   INVALID: ${checked.message}`)
  }
  const { state, amount, payer, pay_to, iss } = checked
  console.log(`Receipt   ${state}: ${amount} atomic units from ${payer} to ${pay_to}, signed by ${iss}`)
}

/** Whether the catalog has the route, or the rules that keep it out, from the report of the payer's facilitator. */
async function printListing(url: string, route: string): Promise<void> {
  const { origin, pathname } = new URL(route)
  for (const until = Date.now() + LISTED_MS; ; await delay(POLL_MS)) {
    const response = await fetch(`${url}/discovery/report`).catch(() => null)
    if (!response?.ok) return console.log(`Listed    unknown: the report was answered with ${response?.status ?? 'nothing'}`)
    const resources = fieldOf(await response.json(), 'resources')
    const found = Array.isArray(resources) && resources.find((one) => fieldOf(one, 'resource') === `${origin}${pathname}`)
    if (found && fieldOf(found, 'listed') === true) return console.log('Listed    yes')
    const problems = fieldOf(found, 'problems')
    const required = Array.isArray(problems) ? problems.filter((one) => fieldOf(one, 'severity') === 'required') : []
    for (const [at, problem] of required.entries())
      console.log(
        `${at === 0 ? 'Listed    no:' : '         '} ${String(fieldOf(problem, 'message'))}. ${String(fieldOf(problem, 'remedy'))}`,
      )
    if (required.length > 0) return
    if (Date.now() > until) return console.log(`Listed    not yet: ${url}/discovery/report says when`)
  }
}

/** What the facilitator says of a price: its headline, and each check that fails. */
async function explain(url: string, offer: string): Promise<void> {
  const response = await fetch(`${url}/explain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: offer }),
  }).catch(() => null)
  if (response === null) throw new Error(`No facilitator answers at ${url}: start it, or name another one with --url.`)
  const said: unknown = response.ok ? await response.json() : null
  const headline = fieldOf(said, 'headline')
  if (typeof headline !== 'string') return console.log(`Explain   no answer (${response.status})`)
  console.log(`Explain   ${headline}`)
  const checks = fieldOf(said, 'checks')
  for (const check of Array.isArray(checks) ? checks : []) {
    if (fieldOf(check, 'status') === 'failed')
      console.log(`          ${String(fieldOf(check, 'evidence'))} ${String(fieldOf(check, 'remedy'))}`)
  }
}
