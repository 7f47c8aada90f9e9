import type { Tier } from '@/server/accounts/plans'
import type { App } from '@/server/app'
import { servedNetworks } from '@/server/payments/supported'
import { symbolsOn, USDC } from '@/server/x402/networks/assets'
import { type NetworkId, networkRow } from '@/server/x402/networks/networks'

/** The networks that each kind of URL serves. */
export type Served = Record<Tier, readonly NetworkId[]>

/** What this process serves, for the home page. */
export function servedBy(app: App): Served {
  return {
    sandbox: servedNetworks(app, 'sandbox'),
    standard: servedNetworks(app, 'standard'),
    flash: servedNetworks(app, 'flash'),
  }
}

/** With more networks than these, the first are named and the others counted. */
const NAMED_MAX = 4
const list = new Intl.ListFormat('en-GB')

/** The names of networks, as far as they fit: "Base, Base Sepolia, Solana and 9 more". */
export function titlesOf(networks: readonly NetworkId[]): string {
  const titles = networks.map((id) => networkRow(id).title)
  if (titles.length <= NAMED_MAX) return list.format(titles)
  return `${titles.slice(0, NAMED_MAX - 1).join(', ')} and ${titles.length - NAMED_MAX + 1} more`
}

const isTest = (id: NetworkId) => networkRow(id).testnet
const isReal = (id: NetworkId) => !isTest(id)

/** The networks of the headline: those with real money, or else all that are served. */
export function mainNetworks({ sandbox, standard }: Served): readonly NetworkId[] {
  const real = standard.filter(isReal)
  return real.length > 0 ? real : [...new Set([...standard, ...sandbox])]
}

/** The tokens that networks settle: "USDC", or "USDC and 3 other stablecoins". */
export function tokensOf(networks: readonly NetworkId[]): string {
  const [first = USDC.symbol, ...others] = symbolsOn(networks)
  if (others.length < 2) return list.format([first, ...others])
  return `${first} and ${others.length} other stablecoins`
}

/** Where the keys' URL settles: "Base and Solana with real money, and Base Sepolia." Empty where nothing is served. */
export function keyNetworks({ standard }: Served): string {
  const real = standard.filter(isReal)
  const test = standard.filter(isTest)
  const tests = test.length > 1 ? `${test.length} test networks` : titlesOf(test)
  if (real.length === 0) return tests && `${tests}.`
  return `${titlesOf(real)} with real money${tests && `, and ${tests}`}.`
}

/** Where flash answers at preconfirmation: networks with real money, or else test networks. Solana has none. */
export function preconfirming({ flash }: Served): readonly NetworkId[] {
  const evm = flash.filter((id) => networkRow(id).family === 'evm')
  const real = evm.filter(isReal)
  return real.length > 0 ? real : evm
}

/** What flash does on the networks that it serves. */
export function flashText(served: Served): string {
  const quick = titlesOf(preconfirming(served))
  if (quick === '') return 'Answers from preconfirmed blocks. No network of this service has them now.'
  const usual = served.flash.some((id) => networkRow(id).family === 'svm') ? ' Solana keeps its usual speed.' : ''
  return `On ${quick}, answers in about 200 milliseconds, from preconfirmed blocks.${usual}`
}
