import type { App } from '../app'
import { isServiceError } from '../base/errors'
import { errorCatalog } from '../http/documented-codes'
import { displayAddress } from '../x402/addresses'
import { addressNamed, assetIn, tokenNamed } from '../x402/networks/assets'
import { isNetworkId, networkRow } from '../x402/networks/networks'
import { parseTerms } from '../x402/parse'
import type { Payment } from '../x402/payment'
import { associatedAccount } from '../x402/schemes/exact/svm/associated-account'
import { USUAL_SCHEME } from '../x402/schemes/scheme-names'
import { type Check, failed, notReached, passed, withToken } from './checks'
import { admissionChecks, type CallerOf } from './judged'
import { money } from './units'

/** A settlement as its owner may see it; `reason` says why it failed. */
export type SeenSettlement = {
  id: string
  state: 'pending' | 'succeeded' | 'failed'
  reason: string | null
  message: string | null
  transaction: string
  network: string
  payer: string
  payTo: string
  amount: string
  /** The token of the amount. */
  symbol: string
  resource: string
  createdAt: Date
  /** The block of its transfer; null where none is known. */
  block: string | null
}

/** The fields of a settlement by name. */
export function settlementFields(seen: SeenSettlement): Record<string, unknown> {
  const { id, state, reason, transaction, network, payer, payTo, amount, symbol, resource, createdAt, block } = seen
  return {
    id,
    state,
    reason,
    amount: money(BigInt(amount), tokenNamed(symbol)),
    network,
    payer: payer && displayAddress(payer),
    payTo: displayAddress(payTo),
    resource,
    transaction: transaction === '' ? null : transaction,
    block,
    createdAt: createdAt.toISOString(),
  }
}

/**
 * The checks of a reader's settlements: how each ended and, for a single failed one, what holds today: the terms and the payer's balance.
 * Reads the chain at most once.
 */
export async function settlementChecks(app: App, callerOf: CallerOf, found: readonly SeenSettlement[]): Promise<Check[]> {
  const [first] = found
  if (!first) return []
  const one = found.length === 1 ? 'One settlement of yours was found.' : `${found.length} settlements of yours were found.`
  const today = found.length === 1 && first.state === 'failed' ? await checksToday(app, callerOf, first) : []
  return [passed('lookup', one), ...withToken(first.symbol, [...found.map(outcomeOf), ...today]), NOT_KEPT]
}

const NOT_KEPT = notReached(
  'rules',
  'The signed payment behind a settlement is not shown again, so its rules are not read here.',
  'Paste the body of the settle request to see every check.',
)

function outcomeOf({ id, state, reason, message, transaction }: SeenSettlement): Check {
  const where = transaction === '' ? '' : ` Its transaction is ${transaction}.`
  if (state === 'succeeded') return passed('outcome', `${id} was settled.${where}`)
  if (state === 'pending') return notReached('outcome', `The outcome of ${id} is not known yet.${where}`)
  return failed('outcome', reason, `${message ?? causeOf(reason) ?? `${id} failed.`}${where}`)
}

const causeOf = (reason: string | null) => errorCatalog.find(({ code }) => code === reason)?.cause

async function checksToday(app: App, callerOf: CallerOf, seen: SeenSettlement): Promise<Check[]> {
  const payment = termsOf(seen)
  if (payment === null) return []
  // Payer and recipient of a settlement differ: verify has judged that.
  const terms = admissionChecks(app, callerOf(payment), payment).filter(({ name }) => name !== 'two_wallets')
  return [...terms, await balanceToday(app, payment, seen.payer)]
}

/** The terms of a settlement as a payment without a transfer; null where its network or token is not served any more. */
function termsOf({ network, symbol, amount, payTo, resource }: SeenSettlement): Payment | null {
  const asset = addressNamed(network, symbol)
  if (asset === null) return null
  try {
    const terms = parseTerms({ scheme: USUAL_SCHEME, network, amount, payTo, asset })
    const claimed = { scheme: terms.scheme, network: terms.network }
    return { ...terms, x402Version: 2, claimed, resource, transfer: { kind: 'other', payload: null } }
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}

async function balanceToday(app: App, payment: Payment, payer: string): Promise<Check> {
  const { network, amount } = payment
  const { title } = networkRow(network)
  const token = assetIn(payment)
  if (payer === '') return notReached('balance_today', 'The payer is not known: no valid signature named one.')
  try {
    const balance = await readBalance(app, payment, payer)
    if (balance === null) return notReached('balance_today', `${title} is not configured here.`)
    const held = `The payer has ${money(balance, token)} on ${title} now; the payment needs ${money(amount, token)}.`
    if (balance < amount) return failed('balance_today', null, held, ADD_FUNDS)
    return passed('balance_today', `${held} A new payment would not fail for its balance.`)
  } catch (error) {
    app.log.warn({ err: error, network }, 'the balance of a payer could not be read')
    return notReached('balance_today', `No node of ${title} answered.`)
  }
}

const ADD_FUNDS = 'The payer must add USDC to its wallet on this network and pay again; no gas is needed.'

async function readBalance(app: App, { network, asset }: Payment, payer: string): Promise<bigint | null> {
  const configured = isNetworkId(network) ? app.networks.get(network) : undefined
  if (configured?.family === 'evm') return configured.chain.tokenBalance(asset, payer)
  if (configured?.family !== 'svm') return null
  const row = networkRow(network)
  const program = row.family === 'svm' ? row.assets.find(({ address }) => address === asset)?.program : undefined
  const account = program ? associatedAccount(payer, asset, program) : null
  return account === null ? null : ((await configured.chain.tokenAccount(account))?.amount ?? 0n)
}
