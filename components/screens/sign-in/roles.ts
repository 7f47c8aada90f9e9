import { CREDIT_PRICE_TEXT } from '@/server/accounts/credit-texts'

/** What people come for: each has its own ways in, and a first screen. */
export const ROLES = {
  seller: {
    title: 'I sell an API',
    note: 'Get paid per request: keys, settlements, webhooks and figures.',
    way: 'Sell with a wallet',
    hint: 'A free key that pays only this wallet.',
    home: '/dashboard',
  },
  payer: {
    title: 'I pay for APIs',
    note: 'See every payment of your wallet, with its receipt.',
    way: 'See my payments',
    hint: 'Any Ethereum or Solana wallet.',
    home: '/payments',
  },
  agent: {
    title: 'I run an agent',
    note: 'Buy credits, give your agent a key and watch what it spends.',
    way: 'Open my agent',
    hint: `Your wallet also buys the credits: ${CREDIT_PRICE_TEXT}.`,
    home: '/agent',
  },
} as const satisfies Record<string, { title: string; note: string; way: string; hint: string; home: string }>

export type Role = keyof typeof ROLES

/** All roles in the order of the page. */
export const roles = ['seller', 'payer', 'agent'] as const satisfies Role[]

/** Whose screen a path is; null for other pages. */
export function roleAt(pathname: string): Role | null {
  return roles.find((role) => pathname === ROLES[role].home || pathname.startsWith(`${ROLES[role].home}/`)) ?? null
}

/** Where a role goes after its sign-in: the page it came from, unless that is a screen of another role. `from` is a full URL of ours. */
export function destinationOf(role: Role, from: string | null): string {
  const owner = from === null ? null : roleAt(new URL(from).pathname)
  return from === null || (owner !== null && owner !== role) ? ROLES[role].home : from
}
