import {
  Activity,
  Bot,
  Compass,
  Gauge,
  type Icon,
  KeyRound,
  LayoutDashboard,
  ListOrdered,
  ReceiptText,
  Rocket,
  Server,
  Users,
} from '../ui/icons'

/** A screen that can be gone to. */
export type Place = { href: string; title: string; icon: Icon }

const merchant: Place[] = [
  { href: '/dashboard', title: 'Overview', icon: LayoutDashboard },
  { href: '/dashboard/settlements', title: 'Settlements', icon: ListOrdered },
  { href: '/dashboard/keys', title: 'API keys', icon: KeyRound },
  { href: '/dashboard/listings', title: 'Listings', icon: Compass },
  { href: '/dashboard/start', title: 'Quick start', icon: Rocket },
]

const wallet: Place[] = [
  { href: '/payments', title: 'Payments', icon: ReceiptText },
  { href: '/agent', title: 'Agent', icon: Bot },
  { href: '/agent/settlements', title: 'Settlements', icon: Activity },
]

const admin: Place[] = [
  { href: '/console', title: 'Platform', icon: Gauge },
  { href: '/console/history', title: 'History', icon: ListOrdered },
  { href: '/console/tenants', title: 'Tenants', icon: Users },
  { href: '/console/networks', title: 'Networks', icon: Server },
]

/** Whom the session says somebody is. */
export type Who = { kind: 'merchant' | 'wallet' | 'admin'; admin: boolean; name: string }

/** The screens that somebody has, in groups. */
export function placesOf(who: Who): { title: string; places: Place[] }[] {
  return [
    ...(who.kind === 'merchant' ? [{ title: 'Merchant', places: merchant }] : []),
    ...(who.kind === 'wallet' ? [{ title: 'Wallet', places: wallet }] : []),
    ...(who.admin ? [{ title: 'Console', places: admin }] : []),
  ]
}

/** The first screen of somebody who has just signed in. */
export function firstPlaceOf(who: Who): string {
  return placesOf(who)[0]?.places[0]?.href ?? '/home'
}
