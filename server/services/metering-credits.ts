import { type CreditAccount, type CreditKey, readCredits, returnVerification, takeVerification } from '../store/credits'
import type { Meter } from '../store/usage'
import { environmentOf } from '../x402/environments'
import type { NetworkId } from '../x402/networks'
import type { App } from './app'
import { PURCHASE_PATH, VERIFICATIONS_PER_CREDIT } from './prices'
import { type CreditUnit, type Quota, spent } from './quota'

/** Takes a verification, or sees whether there is a credit for a settlement. Throws `too_many` when there is none. */
export async function meterCredits(app: App, wallet: string, network: NetworkId, meter: Meter): Promise<Quota> {
  const account: CreditKey = { wallet, environment: environmentOf(network) }
  if (meter === 'verification') {
    const taken = await takeVerification(app.db, account, VERIFICATIONS_PER_CREDIT)
    if (taken) return quotaOf(account, meter, taken)
  }
  const quota = quotaOf(account, meter, await readCredits(app.db, account))
  if (meter === 'settlement' && quota.settlementsLeft > 0) return quota
  throw outOfCredits(app, quota)
}

/** What is left of a wallet's credits where this network's money comes from. */
export async function peekCredits(app: App, wallet: string, network: NetworkId, meter: Meter): Promise<Quota> {
  const account = { wallet, environment: environmentOf(network) }
  return quotaOf(account, meter, await readCredits(app.db, account))
}

/** Gives a verification back. */
export async function takeBackVerification(app: App, quota: Quota, { account }: CreditUnit): Promise<Quota> {
  await returnVerification(app.db, account)
  return { ...quota, verificationsLeft: quota.verificationsLeft + 1 }
}

/** The refusal of a wallet that has nothing left, with where to buy more. */
export function outOfCredits(app: Pick<App, 'config'>, quota: Quota): Error {
  const { unit } = quota
  const what =
    unit.meter === 'settlement'
      ? 'no credits are left'
      : `no verifications are left (${VERIFICATIONS_PER_CREDIT} come with each credit)`
  const where = unit.by === 'credits' ? ` for ${unit.account.environment === 'testnet' ? 'testnets' : 'mainnets'}` : ''
  return spent(quota, `${what}${where}; buy more with POST ${app.config.baseUrl}${PURCHASE_PATH}`)
}

/** Verifications left of those that came with the credits bought. */
export function verificationsLeft({ purchased, verifications }: CreditAccount): number {
  return Math.max(0, purchased * VERIFICATIONS_PER_CREDIT - verifications)
}

/** Credits left; a purchase that was undone may have taken away some that were used already. */
export function creditsLeft({ purchased, used }: CreditAccount): number {
  return Math.max(0, purchased - used)
}

function quotaOf(account: CreditKey, meter: Meter, has: CreditAccount): Quota {
  return {
    unit: { by: 'credits', meter, account },
    settlementsLeft: creditsLeft(has),
    verificationsLeft: verificationsLeft(has),
    limit: meter === 'settlement' ? has.purchased : has.purchased * VERIFICATIONS_PER_CREDIT,
    resetAt: null,
  }
}
