import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { formatUnits } from 'viem'
import { buyCredits, type Purchase, readBalance, readHistory } from './credits'
import { buyFrom, type Merchant, type Sale, startMerchant } from './merchant'
import { type AgentOptions, readOptions } from './options'
import { openSession, signIn } from './sign-in'
import { openWallet, type Wallet } from './wallet'

/**
 * An agent with a funded wallet and nothing else: no account, no e-mail, no key. It pays for credits, gets a facilitator URL, sells through it,
 * and reads its balance and history with its signature alone. Prints a line for each step. Throws when a step fails.
 */
export async function runAgent(options: AgentOptions, say: (line: string) => void = console.log): Promise<void> {
  const { service, network, node, credits, port } = options
  const wallet = await openWallet(network, options.key, node)
  say(`Wallet   ${wallet.address} on ${network}`)

  // 1. Buy credits. The response has an API key, as part of a facilitator URL.
  const bought = await buyCredits(service, wallet, credits)
  say(`Bought   ${bought.credits_added} credits, tx ${bought.transaction}`)

  if (bought.status === 'pending') await untilCredited(service, wallet, bought)

  // 2. Serve a paid endpoint, as any merchant does. One credit settles one payment.
  const merchant = await startMerchant(bought.endpoint, wallet, port)
  try {
    say(`Serving  ${merchant.url} for ${merchant.price}, through ${withoutKey(bought)}`)
    const { payer, transaction } = await sellOnce(merchant, options, say)
    say(`Sold     to ${payer}, tx ${transaction}`)

    // 3. Read the balance, with the wallet's signature in two headers.
    const signed = await signIn(wallet, service)
    const balance = await readBalance(service, signed, bought)
    say(`Balance  ${balance.credits_remaining} credits left, ${balance.credits_used} used`)

    // 4. Read the history, with a token in exchange for the same signature: one signature serves many requests.
    const [latest] = await readHistory(service, await openSession(service, signed))
    if (!latest) throw new Error('The sale is not in the history.')
    say(`History  ${formatUnits(BigInt(latest.payer_amount), 6)} USDC for ${latest.resource}, tx ${latest.tx_hash}`)
  } finally {
    await merchant.close()
  }
}

async function sellOnce(
  merchant: Merchant,
  { network, customer, node }: AgentOptions,
  say: (line: string) => void,
): Promise<Sale> {
  if (customer === undefined) say('Waiting  for a customer; Ctrl-C ends')
  else await buyFrom(merchant.url, await openWallet(network, customer, node))
  return merchant.sold
}

const LANDING_SECONDS = 120

// The payment was sent and waits for its block. The key works already; the credits follow.
async function untilCredited(service: string, wallet: Wallet, bought: Purchase): Promise<void> {
  const signed = await signIn(wallet, service)
  for (let seconds = 0; seconds < LANDING_SECONDS; seconds++) {
    const { credits_remaining } = await readBalance(service, signed, bought)
    if (credits_remaining > 0) return
    await pause(1_000)
  }
  throw new Error(
    `The payment ${bought.transaction} has not landed within ${LANDING_SECONDS} s; GET /api/v1/agent/balance will show it.`,
  )
}

/** The facilitator URL without its secret. */
function withoutKey({ endpoint, api_key }: Purchase): string {
  return endpoint.replace(api_key, `${api_key.slice(0, 11)}…`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await runAgent(readOptions(process.argv.slice(2), process.env))
  } catch (cause) {
    // The cause of "fetch failed" has the reason.
    const problems = cause instanceof Error ? [cause, cause.cause] : [cause]
    console.error(problems.flatMap((problem) => (problem instanceof Error ? problem.message || problem.name : [])).join(': '))
    process.exitCode = 1
  }
}
