import type { App } from '../app'
import type { Environment } from '../x402/networks'
import { readPaidMonths } from './queries'

/** A month (`2026-11`, UTC) with what a wallet paid in it; the amount is digits of atomic units. */
type Month = { month: string; payments: number; amount: string }

const MONTHS = 12

/** What a wallet paid in the last twelve months, in each environment: every month, oldest first, this one included. */
export async function paidMonths(
  { sums, coalesce, now }: Pick<App, 'sums' | 'coalesce' | 'now'>,
  wallet: string,
): Promise<Record<Environment, Month[]>> {
  const months = lastMonths(now())
  const [first = ''] = months
  const paid = await coalesce(`paid months ${wallet} ${first}`, () => readPaidMonths(sums, wallet, new Date(`${first}-01`)))
  const known = new Map(paid.map(({ environment, month, ...came }) => [`${environment} ${month}`, came]))
  const allOf = (environment: Environment) =>
    months.map((month) => ({ month, payments: 0, amount: '0', ...known.get(`${environment} ${month}`) }))
  return { mainnet: allOf('mainnet'), testnet: allOf('testnet') }
}

function lastMonths(now: Date): string[] {
  return Array.from({ length: MONTHS }, (_, at) => {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 1 - at), 1))
    return start.toISOString().slice(0, 7)
  })
}
