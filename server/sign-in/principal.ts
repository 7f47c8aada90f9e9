import { z } from 'zod'
import { ipSubject, widerSubject } from '../accounts/caller'
import type { ChangeMaker } from '../accounts/change-queries'
import { type Owner, ofSubject } from '../accounts/tenant-queries'
import { sha256 } from '../base/hash'
import { displayAddress } from '../x402/addresses'

/** The signed-in user of the dashboard: a merchant of the identity provider, a wallet, or the holder of the admin key. */
export const principal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('merchant'), id: z.string().min(1), admin: z.boolean(), name: z.string() }),
  z.object({ kind: z.literal('wallet'), wallet: z.string().min(1) }),
  z.object({ kind: z.literal('admin') }),
])

export type Principal = z.output<typeof principal>

/** Whose keys a principal manages as a merchant; null for an account that has none. */
export function ownerOf(who: Principal | null): Owner | null {
  if (who?.kind === 'merchant') return ofSubject(who.id)
  return who?.kind === 'wallet' ? { kind: 'wallet', id: who.wallet } : null
}

/**
 * Whose share of the slots a reader takes: that of its account, or of the administrators. Wallets cost nothing, so they and visitors share
 * that of their IP address, and in IPv6 that of the /48.
 */
export function readerOf(who: { kind: 'merchant'; id: string } | { kind: 'admin' | 'wallet' } | null, ip: string): string {
  if (who?.kind === 'merchant') return `merchant ${who.id}`
  if (who?.kind === 'admin') return 'administrators'
  const subject = ipSubject(ip)
  return `address ${widerSubject(subject) ?? subject}`
}

/** Whether a principal may see all tenants. */
export function administers(who: Principal): boolean {
  return who.kind === 'admin' || (who.kind === 'merchant' && who.admin)
}

/** An administrator as the log of changes names it. */
export function operatorBy(who: Principal | null): ChangeMaker {
  return who?.kind === 'merchant' ? `operator ${who.id}` : 'operator'
}

/** A principal's account as an opaque id: names of accounts may be alike. */
export function accountId(who: Principal): string {
  const id = who.kind === 'merchant' ? who.id : who.kind === 'wallet' ? who.wallet : ''
  return Buffer.from(sha256(`${who.kind} ${id}`))
    .toString('base64url')
    .slice(0, 22)
}

/** The name of a principal on screens. */
export function nameOf(who: Principal): string {
  if (who.kind === 'admin') return 'Administrator'
  return who.kind === 'wallet' ? displayAddress(who.wallet) : who.name
}
