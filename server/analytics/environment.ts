import { chargingKeysOf, ofSubject } from '../accounts/tenant-queries'
import type { App } from '../app'
import type { Principal } from '../sign-in/principal'
import { type Environment, environments, networksIn } from '../x402/networks/networks'
import { networksPaidOn, networksUsed } from './queries'

/** The environment to show an account first: real money, unless there is only test money. Null without settlements. */
export async function environmentOfPrincipal(app: Pick<App, 'db'>, principal: Principal): Promise<Environment | null> {
  const used = await usedBy(app, principal)
  return environments.find((environment) => networksIn(environment).some((network) => used.includes(network))) ?? null
}

async function usedBy({ db }: Pick<App, 'db'>, principal: Principal): Promise<string[]> {
  if (principal.kind === 'admin') return networksUsed(db, {})
  if (principal.kind === 'merchant') return networksUsed(db, { owner: chargingKeysOf(ofSubject(principal.id)) })
  const [paid, received] = await Promise.all([
    networksPaidOn(db, principal.wallet),
    networksUsed(db, { owner: { kinds: ['wallet'], id: principal.wallet } }),
  ])
  return [...paid, ...received]
}
