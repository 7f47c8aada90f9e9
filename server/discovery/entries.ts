import { v7 as uuidv7 } from 'uuid'
import { sha256 } from '../base/hash'
import type { Log } from '../base/log'
import type { Db } from '../db/database'
import { endEffect } from '../db/outbox'
import type { Effect } from '../ledger/outbox-worker'
import { symbolOf } from '../x402/networks/assets'
import { type Environment, isNetworkId, networkRow } from '../x402/networks/networks'
import type { Declared } from '../x402/payment'
import { type Listing, type ListingRules, listingOf } from './bazaar'
import {
  askOrigin,
  type DeclaredRow,
  type Entry,
  type EntryCaps,
  findDeclared,
  findHolder,
  type OwnerClass,
  writeEntry,
} from './entry-queries'
import { payeeOf, payeesAt, type ReadOrigin } from './origin'

/** The limits of new entries: per tenant, per sandbox caller and day, per host. With keys, others cannot lock an owner out of a host. */
export const CAPS = {
  production: { ofOwner: 1_000, perDay: false, ofHost: 500, ofOwnerOnFullHost: 20 },
  free: { ofOwner: 100, perDay: false, ofHost: 100, ofOwnerOnFullHost: 20 },
  sandbox: { ofOwner: 20, perDay: true, ofHost: 100, ofOwnerOnFullHost: 0 },
} as const satisfies Record<OwnerClass, EntryCaps>

type CatalogEffect = { db: Db; rules: ListingRules; log: Log; changed: (environment: Environment) => void }

/**
 * Lists what a settlement paid for, or refreshes its entry. A reversed settlement lists nothing; one reversed later leaves its entry to
 * expire. If another party holds the URL, its origin is asked whose it is.
 */
export function catalogEffect({ db, rules, log, changed }: CatalogEffect): Effect {
  return async (settlementId) => {
    const paid = await entryPaid(db, settlementId, rules)
    if (!paid) return (effectId) => endEffect(db, effectId)
    const { entry } = paid
    // Callers without a key have no name that an origin could prove.
    if (entry.class !== 'sandbox' && (await findHolder(db, entry))) await askOrigin(db, settlementId, entry)
    return async (effectId) => {
      const written = await writeEntry(db, effectId, entry, CAPS[entry.class])
      if (written === 'changed') changed(entry.environment)
      if (written === 'refused')
        log.info(
          { settlementId, host: entry.host },
          'not listed: the URL has another owner, or its owner or host has too many entries',
        )
    }
  }
}

/**
 * Asks an origin whose a contested listing is. It moves to the settlement's key if the origin pays its payTo, and not one of the holder.
 * An origin without an answer proves nothing. Beside another owner's entry of the same URL it is listed if the origin pays its payTo.
 */
export function originsEffect({ db, rules, log, changed, read }: CatalogEffect & { read: ReadOrigin }): Effect {
  return async (settlementId) => {
    const end = (effectId: string) => endEffect(db, effectId)
    const paid = await entryPaid(db, settlementId, rules)
    const holder = paid && (await findHolder(db, paid.entry))
    if (!holder) return end
    const { entry, row } = paid
    const said = await payeesAt(read, row.resource, 'routeTemplate' in entry.bazaar)
    const ownToo = holder.same && !holder.stale && holder.payees.some(({ network, payTo }) => said.has(payeeOf(network, payTo)))
    const proven = said.has(payeeOf(row.network, row.payTo)) && !ownToo
    log.info({ settlementId, host: entry.host, proven }, 'an origin was asked whose a listing is')
    if (!proven) return end
    return async (effectId) => {
      const written = await writeEntry(db, effectId, entry, CAPS[entry.class], holder.owner)
      if (written === 'changed') changed(entry.environment)
    }
  }
}

async function entryPaid(db: Db, settlementId: string, rules: ListingRules): Promise<{ row: DeclaredRow; entry: Entry } | null> {
  const row = await findDeclared(db, settlementId)
  const listing = row && listingOf({ ...row, declared: declaredIn(row) }, rules)
  return listing && !('rejected' in listing) ? { row, entry: entryOf(row, listing) } : null
}

/** The entry of a listing that a settlement declared. */
export function entryOf(row: DeclaredRow, { requirements, ...listing }: Listing): Entry {
  const { network, owner, payTo } = row
  const testnet = isNetworkId(network) && networkRow(network).testnet
  return {
    ...listing,
    id: uuidv7(),
    environment: testnet ? 'testnet' : 'mainnet',
    owner,
    class: row.class,
    digest: Buffer.from(sha256(JSON.stringify(listing))).toString('base64url'),
    words: {
      name: wordsOf([listing.serviceName ?? '', ...listing.tags, listing.url].join(' ')),
      about: listing.description ?? '',
    },
    accept: { scheme: row.scheme, network, symbol: symbolOf(network, row.asset), payTo, requirements },
  }
}

// The words of a URL make its entry searchable.
const wordsOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

/** What a payment declared. The ledger stores what `parsePayment` made of a request, and nothing else writes it. */
export const declaredIn = ({ declared }: { declared: unknown }) => declared as Declared
