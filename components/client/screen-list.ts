import {
  Activity,
  Bot,
  Compass,
  Gauge,
  KeyRound,
  Layers,
  LayoutDashboard,
  ListOrdered,
  type LucideIcon,
  ReceiptText,
  Rocket,
  Server,
  Siren,
  Users,
  Webhook,
} from 'lucide-react'
import { notice } from '../ui/notice'
import { recent } from './recent'

/** A screen; `g` then `key` opens it. */
type Screen = { href: string; title: string; icon: LucideIcon; key: string }

const merchant: Screen[] = [
  { href: '/dashboard', title: 'Overview', icon: LayoutDashboard, key: 'o' },
  { href: '/dashboard/settlements', title: 'Settlements', icon: ListOrdered, key: 's' },
  { href: '/dashboard/channels', title: 'Channels', icon: Layers, key: 'c' },
  { href: '/dashboard/keys', title: 'API keys', icon: KeyRound, key: 'k' },
  { href: '/dashboard/webhooks', title: 'Webhooks', icon: Webhook, key: 'w' },
  { href: '/dashboard/listings', title: 'Listings', icon: Compass, key: 'l' },
  { href: '/dashboard/start', title: 'Quick start', icon: Rocket, key: 'q' },
]

/** Where a merchant makes a test payment, in test money. */
export const TEST_PAYMENT = '/dashboard/start?environment=testnet&step=payment'

/** Where a merchant whose keys work in Live only sees how to get a payment. */
export const LIVE_PAYMENT = '/dashboard/start?environment=mainnet&step=payment'

const wallet: Screen[] = [
  { href: '/payments', title: 'Payments', icon: ReceiptText, key: 'p' },
  { href: '/agent', title: 'Agent', icon: Bot, key: 'a' },
  { href: '/agent/settlements', title: 'Agent settlements', icon: Activity, key: 't' },
]

const admin: Screen[] = [
  { href: '/console', title: 'Platform', icon: Gauge, key: 'p' },
  { href: '/console/history', title: 'History', icon: ListOrdered, key: 'h' },
  { href: '/console/tenants', title: 'Tenants', icon: Users, key: 't' },
  { href: '/console/networks', title: 'Networks', icon: Server, key: 'n' },
  { href: '/console/incidents', title: 'Incidents', icon: Siren, key: 'i' },
]

/** The signed-in account; `account` is its opaque id. */
export type Who = { account: string; kind: 'merchant' | 'wallet' | 'admin'; admin: boolean; name: string }

/** Whether an account has keys to charge with. */
export const charges = ({ kind }: Who): boolean => kind !== 'admin'

/** The screens of an account, in groups. */
export function screensOf(who: Who): { title: string; screens: Screen[] }[] {
  return [
    ...(who.kind === 'wallet' ? [{ title: 'Wallet', screens: wallet }] : []),
    ...(charges(who) ? [{ title: 'Merchant', screens: merchant }] : []),
    ...(who.admin ? [{ title: 'Console', screens: admin }] : []),
  ]
}

/** Who may open the screens below a path. */
const AREAS = [
  { path: '/dashboard', for: 'merchants', how: 'as a merchant', opens: charges },
  { path: '/payments', for: 'wallets', how: 'with a wallet', opens: ({ kind }: Who) => kind === 'wallet' },
  { path: '/agent', for: 'wallets', how: 'with a wallet', opens: ({ kind }: Who) => kind === 'wallet' },
  { path: '/console', for: 'administrators', how: 'as an administrator', opens: ({ admin }: Who) => admin },
] as const

/** Which screen this is, whom it is for and how to sign in there, if this account cannot open it; else null. */
export function closedTo(who: Who, pathname: string): { screen: string; for: string; how: string } | null {
  const area = AREAS.find(({ path }) => isBelow(pathname, path))
  if (!area || area.opens(who)) return null
  return { screen: screenAt(pathname) ?? pathname, for: area.for, how: area.how }
}

/** The title of the screen at a path, of any account; null for other pages. */
export function screenAt(pathname: string): string | null {
  const [longest] = [...merchant, ...wallet, ...admin]
    .filter(({ href }) => isBelow(pathname, href))
    .toSorted((one, other) => other.href.length - one.href.length)
  return longest?.title ?? null
}

const isBelow = (pathname: string, path: string) => pathname === path || pathname.startsWith(`${path}/`)

let leaving = false

/** Whether this page is signing out: its missing session then leads to the home page, not to the sign-in. */
export const isLeaving = (): boolean => leaving

/** Signs out and goes to the home page. The library loads on demand. */
export async function leave(): Promise<void> {
  leaving = true
  recent.forget()
  try {
    const { signOut } = await import('next-auth/react')
    await signOut({ callbackUrl: '/home' })
  } catch {
    leaving = false
    notice.error('Could not sign out. Check your connection and try again.')
  }
}

/** The screen to open after sign-in. */
export function firstScreenOf(who: Who): string {
  return screensOf(who)[0]?.screens[0]?.href ?? '/home'
}
