import { creditsLeft, verificationsLeft } from '../accounts/metering'
import type { App } from '../app'
import { type CreditKey, findLastPurchase, listCredits, type Purchase, readCredits } from '../ledger/statements/credits'
import { type Environment, environments } from '../x402/networks/networks'
import { type AgentTenant, findAgentTenant } from './queries'

/** A wallet's credits in an environment. */
export type Credits = {
  left: number
  used: number
  purchased: number
  verificationsUsed: number
  verificationsLeft: number
}

/** A wallet's credits with its keys and its last purchase. */
export type Balance = {
  environment: Environment
  credits: Credits
  accounts: ({ environment: Environment } & Credits)[]
  lastPurchase: Purchase | null
  tenant: AgentTenant | null
}

/** The credits of an account; zeros for one that never bought. */
export async function creditAccount(app: App, key: CreditKey): Promise<Credits> {
  return creditsOf(await readCredits(app.db, key))
}

/** A wallet's balance in `requested`, or by default where it has bought, mainnet first. Zeros for a wallet that never bought. */
export async function balanceOf(app: App, wallet: string, requested: Environment | null): Promise<Balance> {
  const [rows, tenant] = await Promise.all([listCredits(app.db, wallet), findAgentTenant(app.db, wallet)])
  const accounts = environments.flatMap((environment) => {
    const row = rows.find((one) => one.environment === environment)
    return row ? [{ environment, ...creditsOf(row) }] : []
  })
  const environment = requested ?? accounts[0]?.environment ?? 'mainnet'
  const { environment: _, ...credits } = accounts.find((one) => one.environment === environment) ?? {
    environment,
    ...creditsOf(NONE),
  }
  return { environment, credits, accounts, tenant, lastPurchase: await findLastPurchase(app.db, { wallet, environment }) }
}

const NONE = { purchased: 0, used: 0, verifications: 0 }

function creditsOf(row: typeof NONE): Credits {
  return {
    left: creditsLeft(row),
    used: row.used,
    purchased: row.purchased,
    verificationsUsed: row.verifications,
    verificationsLeft: verificationsLeft(row),
  }
}
