import type { Status, TierStatus } from '@/server/operations/status/status'
import type { Cause } from '@/server/x402/reasons/causes'
import { reasonTitles } from '@/server/x402/reasons/titles'
import { duration, shareText } from '../../ui/figures'

type Windows = Pick<TierStatus, 'last_24_hours' | 'last_30_days'>
type Figures = NonNullable<TierStatus['last_24_hours']>

/** The tiers as the page names them. */
export const tierNames = { standard: 'Standard', flash: 'Flash', sandbox: 'Sandbox' } as const satisfies Record<
  TierStatus['tier'],
  string
>

/** Whose failures a row counts. */
export const causeNames = {
  payer: 'Payer failures',
  chain: 'Chain failures',
  facilitator: 'Our failures',
} as const satisfies Record<Cause, string>

/** How good a state is. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain'

type NetworkStatus = Status['networks'][number]
type Incident = NonNullable<Status['incidents']>[number]

/** What the page says of the whole service. */
export function headline({ available, networks, incidents }: Pick<Status, 'available' | 'networks' | 'incidents'>): {
  text: string
  tone: Exclude<Tone, 'plain'>
} {
  const tiers = networks.flatMap((network) => network.tiers)
  const served = tiers.filter((tier) => tier.available !== null)
  if (!available) return { text: 'The service cannot take payments now.', tone: 'bad' }
  if (served.length === 0) return { text: 'No network is configured.', tone: 'bad' }
  const down = networks.flatMap(({ name, tiers }) => {
    const own = tiers.filter((tier) => tier.available === false).map(({ tier }) => tier)
    return own.length === 0 ? [] : [`${name} (${own.join(', ')})`]
  })
  const all = served.length === tiers.length ? 'All networks' : 'All configured networks'
  if (down.length > 0) return { text: `Not available now: ${down.join(', ')}.`, tone: 'bad' }
  const open = (incidents ?? []).filter(isOpen).length
  if (open === 0) return { text: `${all} are accepting payments.`, tone: 'good' }
  return {
    text: `${all} are accepting payments. ${open === 1 ? 'One incident is' : `${open} incidents are`} open.`,
    tone: 'warn',
  }
}

/** Whether an incident lasts. */
export const isOpen = ({ resolved_at }: Incident): boolean => resolved_at === null

/** Whether a network accepts payments now, by all its configured tiers. */
export function stateOf({ tiers }: Pick<NetworkStatus, 'tiers'>): { text: string; tone: Tone } {
  const served = tiers.filter(({ available }) => available !== null)
  if (served.length === 0) return { text: 'Not configured', tone: 'plain' }
  const down = served.filter(({ available }) => available === false)
  if (down.length === 0) return { text: 'Accepting payments', tone: 'good' }
  if (down.length === served.length) return { text: 'Not available', tone: 'bad' }
  return { text: `${down.map(({ tier }) => tierNames[tier]).join(' and ')} not available`, tone: 'warn' }
}

/** A share with its lower bound; null with too few payments. */
export function successText({ share, lower_bound }: Figures['success']): { share: string; bound: string } | null {
  if (share === null || lower_bound === null) return null
  return { share: shareText(share), bound: `at least ${shareText(lower_bound)}` }
}

/** A settle time, or a dash if nothing is claimed. */
export const timeText = (ms: number | null): string => (ms === null ? '–' : duration(ms))

/** The queue of a tier in words. */
export function pendingText(pending: TierStatus['pending']): string {
  if (pending === null) return 'Queue unknown'
  if (pending.oldest_ms === null) return 'Queue empty'
  return `${pending.count.toLocaleString('en')} pending, oldest ${duration(pending.oldest_ms)}`
}

/** Whether a tier had any payment in a window. */
export function hadPayments({ last_24_hours, last_30_days }: Windows): boolean {
  return [last_24_hours, last_30_days].some((figures) => figures !== null && figures.success_of_all.of > 0)
}

/** The reasons of failures with their counts in both windows, by cause and then by the longer window. */
export function reasonRows({ last_24_hours: day, last_30_days: days }: Windows) {
  const causes = Object.keys(causeNames).filter(isCause)
  return causes.flatMap((cause) => {
    const [recent, past] = [day?.failed[cause].reasons ?? [], days?.failed[cause].reasons ?? []]
    const codes = [...new Set([...past, ...recent].map(({ reason }) => reason))]
    const countIn = (list: typeof recent, code: string) => list.find(({ reason }) => reason === code)?.count ?? 0
    return codes.map((code) => ({ cause, code, title: titleOf(code), day: countIn(recent, code), days: countIn(past, code) }))
  })
}

const titles: Partial<Record<string, string>> = { ...reasonTitles, not_sent: 'Not sent in time' }

const titleOf = (code: string): string => titles[code] ?? code

const isCause = (text: string): text is Cause => Object.hasOwn(causeNames, text)
