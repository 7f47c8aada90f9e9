import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { formatUnits } from 'viem'
import { buyCredits, type Purchase, readBalance, readHistory } from './credits'
import { type AgentOptions, readOptions } from './options'
import { buyFrom, openShop, type Sale, type Shop } from './shop'
import { openSession, signIn } from './sign-in'
import { openWallet, type Wallet } from './wallet'

/**
 * An agent with a funded wallet and nothing else: no account, no e-mail, no key. It pays for credits, gets a facilitator URL of its own, sells
 * something through it, and reads what it has left and what it sold, known by its signature alone. Says each step in a line. Throws when one fails.
 */
export async function runAgent(options: AgentOptions, say: (line: string) => void = console.log): Promise<void> {
  const { service, network, node, credits, port } = options
  const wallet = await openWallet(network, options.key, node)
  say(`Wallet   ${wallet.address} on ${network}`)

  // 1. Credits, for a payment. The answer holds an API key, as part of a facilitator URL.
  const bought = await buyCredits(service, wallet, credits)
  say(`Bought   ${bought.credits_added} credits, tx ${bought.transaction}`)

  if (bought.status === 'pending') await untilCredited(service, wallet, bought)

  // 2. A paid endpoint, as any merchant has one. One credit settles one payment.
  const shop = await openShop(bought.endpoint, wallet, port)
  try {
    say(`Serving  ${shop.url} for ${shop.price}, through ${withoutKey(bought)}`)
    const { payer, transaction } = await sellOnce(shop, options, say)
    say(`Sold     to ${payer}, tx ${transaction}`)

    // 3. The balance, for the wallet's signature in two headers.
    const signed = await signIn(wallet, service)
    const balance = await readBalance(service, signed, bought)
    say(`Balance  ${balance.credits_remaining} credits left, ${balance.credits_used} used`)

    // 4. The history, for a token that the same signature is exchanged for: for those who ask often.
    const [latest] = await readHistory(service, await openSession(service, signed))
    if (!latest) throw new Error('The sale is not in the history.')
    say(`History  ${formatUnits(BigInt(latest.payer_amount), 6)} USDC for ${latest.resource}, tx ${latest.tx_hash}`)
  } finally {
    await shop.close()
  }
}

async function sellOnce(shop: Shop, { network, customer, node }: AgentOptions, say: (line: string) => void): Promise<Sale> {
  if (customer === undefined) say('Waiting  for a customer; Ctrl-C ends')
  else await buyFrom(shop.url, await openWallet(network, customer, node))
  return shop.sold
}

const PATIENCE_SECONDS = 120

// The payment was sent and may still take blocks: the key is good already, the credits follow.
async function untilCredited(service: string, wallet: Wallet, bought: Purchase): Promise<void> {
  const signed = await signIn(wallet, service)
  for (let seconds = 0; seconds < PATIENCE_SECONDS; seconds++) {
    const { credits_remaining } = await readBalance(service, signed, bought)
    if (credits_remaining > 0) return
    await pause(1_000)
  }
  throw new Error(
    `The payment ${bought.transaction} has not landed within ${PATIENCE_SECONDS} s; GET /api/v1/agent/balance will show it.`,
  )
}

/** The facilitator URL as it may be shown. */
function withoutKey({ endpoint, api_key }: Purchase): string {
  return endpoint.replace(api_key, `${api_key.slice(0, 11)}…`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await runAgent(readOptions(process.argv.slice(2), process.env))
  } catch (cause) {
    // What "fetch failed" for is one step below.
    const problems = cause instanceof Error ? [cause, cause.cause] : [cause]
    console.error(problems.flatMap((problem) => (problem instanceof Error ? problem.message || problem.name : [])).join(': '))
    process.exitCode = 1
  }
}
