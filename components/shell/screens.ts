import {
  Activity,
  Bot,
  Compass,
  Gauge,
  KeyRound,
  LayoutDashboard,
  ListOrdered,
  type LucideIcon,
  ReceiptText,
  Rocket,
  Server,
  Users,
  Webhook,
} from 'lucide-react'

/** A screen that can be gone to, from the keyboard by `g` and its key. */
export type Screen = { href: string; title: string; icon: LucideIcon; key: string }

const merchant: Screen[] = [
  { href: '/dashboard', title: 'Overview', icon: LayoutDashboard, key: 'o' },
  { href: '/dashboard/settlements', title: 'Settlements', icon: ListOrdered, key: 's' },
  { href: '/dashboard/keys', title: 'API keys', icon: KeyRound, key: 'k' },
  { href: '/dashboard/webhooks', title: 'Webhooks', icon: Webhook, key: 'w' },
  { href: '/dashboard/listings', title: 'Listings', icon: Compass, key: 'l' },
  { href: '/dashboard/start', title: 'Quick start', icon: Rocket, key: 'q' },
]

const wallet: Screen[] = [
  { href: '/payments', title: 'Payments', icon: ReceiptText, key: 'p' },
  { href: '/agent', title: 'Agent', icon: Bot, key: 'a' },
  { href: '/agent/settlements', title: 'Settlements', icon: Activity, key: 's' },
]

const admin: Screen[] = [
  { href: '/console', title: 'Platform', icon: Gauge, key: 'p' },
  { href: '/console/history', title: 'History', icon: ListOrdered, key: 'h' },
  { href: '/console/tenants', title: 'Tenants', icon: Users, key: 't' },
  { href: '/console/networks', title: 'Networks', icon: Server, key: 'n' },
]

/** Whom the session says somebody is. */
export type Who = { kind: 'merchant' | 'wallet' | 'admin'; admin: boolean; name: string }

/** The screens that somebody has, in groups. */
export function screensOf(who: Who): { title: string; screens: Screen[] }[] {
  return [
    ...(who.kind === 'merchant' ? [{ title: 'Merchant', screens: merchant }] : []),
    ...(who.kind === 'wallet' ? [{ title: 'Wallet', screens: wallet }] : []),
    ...(who.admin ? [{ title: 'Console', screens: admin }] : []),
  ]
}

/** The first screen of somebody who has just signed in. */
export function firstScreenOf(who: Who): string {
  return screensOf(who)[0]?.screens[0]?.href ?? '/home'
}
