import type { App } from '../app'
import type { Statements } from '../db/statements'
import { ServiceError } from '../errors'
import { counting, WIDER_TIMES } from '../ledger/statements/usage'
import { displayAddress, readAddress } from '../x402/addresses'
import { networkIds, networks } from '../x402/networks'
import { ipSubject, widerSubject } from './caller'
import type { Owner, TenantSettings } from './tenant-queries'
import { KEY_RATE } from './tenants'

type Held = Partial<Pick<TenantSettings, 'payToAllow' | 'allowedNetworks'>>

/**
 * The settings as the owner's keys may have them. A wallet proved only itself: its keys pay nobody else, on the networks of its family.
 * Throws `forbidden` for another recipient or family.
 */
export function heldTo<Settings extends Held>({ kind, id }: Owner, settings: Settings): Settings {
  if (kind !== 'wallet') return settings
  const { payToAllow, allowedNetworks } = settings
  return {
    ...settings,
    ...(payToAllow === undefined ? {} : { payToAllow: [recipientOf(id, payToAllow)] }),
    ...(allowedNetworks === undefined ? {} : { allowedNetworks: familyOf(id, allowedNetworks) }),
  }
}

function recipientOf(wallet: string, payToAllow: readonly string[]): string {
  if (payToAllow.every((address) => readAddress(address) === wallet)) return wallet
  const why = `payToAllow must be ${displayAddress(wallet)}, because you proved this wallet only; sign in with another one for its key`
  throw new ServiceError('forbidden', why, { field: 'payToAllow' })
}

function familyOf(wallet: string, allowed: readonly string[]): string[] {
  const family = wallet.startsWith('0x') ? 'evm' : 'svm'
  const own = networkIds.filter((id) => networks[id].family === family)
  const foreign = allowed.find((network) => !own.some((id) => id === network))
  if (foreign === undefined) return allowed.length === 0 ? own : [...allowed]
  const why = `allowedNetworks must be of ${own.join(', ')}, where this wallet can be paid; ${foreign} is not`
  throw new ServiceError('forbidden', why, { field: 'allowedNetworks' })
}

const KIND = 'wallet key'
const SECONDS = { hour: 3_600, day: 86_400 } as const

/**
 * Counts a new key of a wallet: for its IP address as for one merchant, for the IPv6 /48 around it, and for all wallets together, because
 * wallets cost nothing to make. Throws `too_many`, and `forbidden` where the operator gives wallets no keys.
 */
export async function countWalletKey(app: Pick<App, 'config' | 'now'>, within: Statements, ip: string): Promise<void> {
  const cap = app.config.walletKeysPerDay
  if (cap === 0) throw new ServiceError('forbidden', 'this facilitator gives wallets no free keys; sign in as a merchant')
  const address = `keys:${ipSubject(ip)}`
  const wider = widerSubject(address)
  for (const period of ['hour', 'day'] as const) {
    const most = KEY_RATE[period]
    await count({ subject: address, cap: most, where: 'your address' })
    if (wider) await count({ subject: wider, cap: most * WIDER_TIMES, where: 'your IPv6 /48' })

    async function count({ subject, cap, where }: { subject: string; cap: number; where: string }): Promise<void> {
      await take(app, within, { subject, period, cap, why: `wallets of ${where} can create ${cap} keys ${EACH[period]}` })
    }
  }
  await take(app, within, { subject: 'keys:all', period: 'day', cap, why: `wallets can create ${cap} keys a day here` })
}

const EACH = { hour: 'an hour', day: 'a day' } as const

type Taken = { subject: string; period: 'hour' | 'day'; cap: number; why: string }

async function take({ now }: Pick<App, 'now'>, within: Statements, { why, ...counted }: Taken): Promise<void> {
  const rows = await within.query(counting({ ...counted, kind: KIND }))
  if (rows.length === 1) return
  const length = SECONDS[counted.period]
  const retryAfterSeconds = length - (Math.floor(now().getTime() / 1_000) % length)
  throw new ServiceError('too_many', `${why}; try again in ${retryAfterSeconds} s`, {
    reason: 'rate_limit_exceeded',
    retryAfterSeconds,
  })
}
