import type { App } from '../app'
import { ServiceError } from '../base/errors'
import type { Statements } from '../db/statements'
import { countEach, WIDER_TIMES } from '../ledger/statements/usage'
import { displayAddress, readAddress } from '../x402/addresses'
import { networkIds, networkRow } from '../x402/networks/networks'
import { ipSubject, widerSubject } from './caller'
import type { Owner, TenantSettings } from './tenant-queries'
import { KEY_RATE } from './tenants'

type Held = Partial<Pick<TenantSettings, 'payToAllow' | 'allowedNetworks'>>

/**
 * The settings as the owner's keys may have them. A wallet proved only itself: its keys pay only itself, on the networks of its family.
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
  const own = networkIds.filter((id) => networkRow(id).family === family)
  const foreign = allowed.find((network) => !own.some((id) => id === network))
  if (foreign === undefined) return allowed.length === 0 ? own : [...allowed]
  const why = `allowedNetworks must be of ${own.join(', ')}, where this wallet can be paid; ${foreign} is not`
  throw new ServiceError('forbidden', why, { field: 'allowedNetworks' })
}

const KIND = 'wallet key'
const LENGTHS = { hour: { seconds: 3_600, each: 'an hour' }, day: { seconds: 86_400, each: 'a day' } } as const

/**
 * Counts a new key of a wallet: for its IP address as for one merchant, for the IPv6 /48 around it, and for all wallets together, because
 * wallets cost nothing to make. The last half of a day's keys goes to IP networks that have made none that day, so that a few addresses
 * cannot use them up. Throws `too_many`, and `forbidden` where the operator gives wallets no keys; both undo the transaction.
 */
export async function countWalletKey(
  { config, now }: Pick<App, 'config' | 'now'>,
  within: Statements,
  ip: string,
): Promise<void> {
  if (config.walletKeysPerDay === 0) {
    throw new ServiceError('forbidden', 'this facilitator gives wallets no free keys; sign in as a merchant')
  }
  const address = `keys:${ipSubject(ip)}`
  const wider = widerSubject(address)
  const limits = [
    ...PERIODS.flatMap((period) => [
      { subject: address, period, most: KEY_RATE[period], whose: ' of your address' },
      ...(wider ? [{ subject: wider, period, most: KEY_RATE[period] * WIDER_TIMES, whose: ' of your IPv6 /48' }] : []),
    ]),
    {
      subject: `keys:network:${ipNetwork(ip)}`,
      period: 'day',
      most: config.walletKeysPerDay,
      whose: ' of your network',
    } as const,
    { subject: 'keys:all', period: 'day', most: config.walletKeysPerDay, whose: '' } as const,
  ]
  const counts = await countEach(within, KIND, limits)
  const [ofNetwork = 0, ofAll = 0] = counts.slice(-2)
  const broken = limits.find(({ most }, at) => (counts[at] ?? 0) > most)
  const scarce = ofAll > Math.ceil(config.walletKeysPerDay / 2) && ofNetwork > 1
  if (!broken && !scarce) return
  const { seconds, each } = LENGTHS[broken?.period ?? 'day']
  const retryAfterSeconds = seconds - (Math.floor(now().getTime() / 1_000) % seconds)
  const why = broken
    ? `wallets${broken.whose} can create ${broken.most} keys ${each}`
    : 'half of the keys that all wallets can create a day are gone; the other half is for networks without one today, and yours has one'
  throw new ServiceError('too_many', `${why}; try again in ${retryAfterSeconds} s`, {
    reason: 'rate_limit_exceeded',
    retryAfterSeconds,
  })
}

/** The network of an IP address that one subscriber or company can hold cheaply: the /24 of IPv4, the /48 of IPv6. */
export function ipNetwork(ip: string): string {
  const subject = ipSubject(ip)
  return widerSubject(subject) ?? subject.replace(/\.\d+$/, '.0/24')
}

const PERIODS = ['hour', 'day'] as const
