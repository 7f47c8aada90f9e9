import { chargedBy, type Owner } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { done } from '../db/outbox'
import { empty, join, pruning, type Sql, sql } from '../db/sql'
import { counting } from '../ledger/statements/usage'
import { type Environment, isNetworkId, networkRow } from '../x402/networks/networks'
import { BATCH_SETTLEMENT } from '../x402/schemes/batch-settlement/scheme'
import { type SchemeName, USUAL_SCHEME } from '../x402/schemes/scheme-names'
import { UPTO } from '../x402/schemes/upto/scheme'
import type { Declaration, Listing } from './bazaar'

/** The owner class of an entry: of a plan, of a key that costs nothing, or without a key. Only plans displace, and only the other two. */
export type OwnerClass = 'production' | 'free' | 'sandbox'

/** What a settlement declared about its resource, and who settled it. */
export type DeclaredRow = Omit<Declaration, 'declared'> & { declared: unknown; owner: string; class: OwnerClass }

/** An entry to write: a resource with one way to pay. */
export type Entry = Omit<Listing, 'requirements'> & {
  id: string
  environment: Environment
  owner: string
  class: OwnerClass
  digest: string
  /** The text that a search reads, most relevant part first. */
  words: { name: string; about: string }
  accept: { scheme: string; network: string; symbol: string; payTo: string; requirements: object }
}

/** The limits of new entries: per owner, per day in the sandbox, per host, and per owner on a host that others have filled. */
export type EntryCaps = { ofOwner: number; perDay: boolean; ofHost: number; ofOwnerOnFullHost: number }

/** The result for an entry: written; seen again unchanged; owned by another or over a limit. */
export type Written = 'changed' | 'unchanged' | 'refused'

// Minimum time between two writes of an unchanged entry, so that a busy merchant does not rewrite its row all the time.
const SEEN_LATELY = sql`interval '5 minutes'`
// Sandbox callers change their IP address: an entry unseen for a day can be taken over.
const SANDBOX_HOLDS = sql`interval '1 day'`
const isStale = sql`(r."class" = 'sandbox' AND r."lastSeen" < now() - ${SANDBOX_HOLDS})`

/** Whether an entry `r` yields its URL to another owner of this class without a proof. */
const yieldsTo = (ofClass: OwnerClass) => sql`
  (NOT r."proven" AND ${{ production: sql`r."class" <> 'production'`, free: sql`false`, sandbox: isStale }[ofClass]})`

/** What a settlement declared; null when nothing was paid in the end, or its key has opted out. */
export async function findDeclared(db: Db, settlementId: string): Promise<DeclaredRow | null> {
  const found = await db.settlement.findUnique({
    where: { id: settlementId, state: { notIn: ['REVERSED', 'UNCHARGED'] }, tenant: { historyEnabled: true } },
    select: {
      kind: true,
      network: true,
      asset: true,
      payTo: true,
      amount: true,
      maximum: true,
      resource: true,
      declared: true,
      caller: true,
      tier: true,
      plan: true,
    },
  })
  if (!found) return null
  const { kind, amount, maximum, caller, tier, plan, ...declared } = found
  // Credits on a testnet are bought with tokens that cost nothing.
  const boughtByFaucet = plan === 'agent' && isNetworkId(found.network) && networkRow(found.network).testnet
  const free = plan === 'free' || boughtByFaucet ? 'free' : 'production'
  const paid = { kind, declared: declared.declared, amount: amount.toFixed(), maximum: maximum?.toFixed() ?? null }
  return { ...declared, ...priceOfPaid(paid), owner: caller, class: tier === 'sandbox' ? 'sandbox' : free }
}

/** A settlement as its price follows from it. Amounts are digits of atomic units. */
export type PaidTerms = { kind: string; amount: string; maximum: string | null; declared: unknown }

/** The scheme of a settlement, and what a call cost at most: by `upto` the signed maximum, through a channel the price of an answer. */
export function priceOfPaid({ kind, amount, maximum, declared }: PaidTerms): { scheme: SchemeName; amount: bigint } {
  if (kind === 'deposit') return { scheme: BATCH_SETTLEMENT, amount: BigInt(Object(declared).price ?? amount) }
  return { scheme: maximum === null ? USUAL_SCHEME : UPTO, amount: BigInt(maximum ?? amount) }
}

/**
 * Writes an entry and marks its effect as done, in one statement. The first settler of a URL owns it while it is seen; plans displace
 * free keys and the sandbox; declarations of others change nothing, and list no tool beside it. `displaced` is the owner against whom the
 * origin proved this entry. Ways to pay are merged by scheme, network and token.
 */
export async function writeEntry(
  db: Db,
  effectId: string,
  entry: Entry,
  caps: EntryCaps,
  displaced: string | null = null,
): Promise<Written> {
  const { environment, url, owner, accept, words } = entry
  // Both paths lock the row, so that its owner cannot change before the accept is written. A row that became ours concurrently is
  // not in `held` and is written again.
  const [end] = await db.query<{ owned: boolean; changed: boolean }>`
    WITH ${done(effectId)}, held AS (
      SELECT r."id" FROM "Resource" r, mine WHERE r."environment" = ${environment} AND r."url" = ${url} AND r."owner" = ${owner} FOR UPDATE OF r
    ), entry AS (
      INSERT INTO "Resource" AS r ("id", "environment", "url", "type", "host", "owner", "class", "x402Version", "description", "mimeType", "serviceName",
        "tags", "iconUrl", "bazaar", "digest", "proven", "search")
      SELECT ${entry.id}::uuid, ${environment}, ${url}, ${entry.type}, ${entry.host}, ${owner}, ${entry.class}, ${entry.x402Version}, ${entry.description},
        ${entry.mimeType}, ${entry.serviceName}, ${[...entry.tags]}::text[], ${entry.iconUrl}, ${JSON.stringify(entry.bazaar)}::jsonb, ${entry.digest}, ${displaced !== null},
        setweight(to_tsvector('english', ${words.name}), 'A') || setweight(to_tsvector('english', ${words.about}), 'B')
      FROM mine WHERE (${hasRoom(entry, caps)}) AND (${displaced !== null} OR ${hasPlace(entry)})
      ON CONFLICT ("environment", "url") DO UPDATE SET "type" = EXCLUDED."type", "owner" = EXCLUDED."owner", "class" = EXCLUDED."class", "x402Version" = EXCLUDED."x402Version",
        "description" = EXCLUDED."description", "mimeType" = EXCLUDED."mimeType", "serviceName" = EXCLUDED."serviceName", "tags" = EXCLUDED."tags",
        "iconUrl" = EXCLUDED."iconUrl", "bazaar" = EXCLUDED."bazaar", "digest" = EXCLUDED."digest", "search" = EXCLUDED."search", "lastSeen" = now(),
        "proven" = CASE WHEN r."owner" = EXCLUDED."owner" THEN r."proven" ELSE EXCLUDED."proven" END,
        "takenFrom" = CASE WHEN r."owner" = EXCLUDED."owner" THEN r."takenFrom" ELSE r."owner" END,
        "firstSeen" = CASE WHEN r."owner" = EXCLUDED."owner" THEN r."firstSeen" ELSE now() END,
        "changedAt" = CASE WHEN r."owner" = EXCLUDED."owner" THEN CASE WHEN r."digest" = EXCLUDED."digest" THEN r."changedAt" ELSE now() END END,
        ${figuresOfOwner}
      WHERE CASE WHEN r."owner" = EXCLUDED."owner" THEN NOT EXISTS (SELECT 1 FROM held) OR r."digest" <> EXCLUDED."digest" OR r."lastSeen" < now() - ${SEEN_LATELY}
        ELSE r."owner" = ${displaced} OR ${yieldsTo(entry.class)} END
      RETURNING r."id"
    ), owned AS (SELECT "id" FROM entry UNION SELECT "id" FROM held
    ), accepted AS (
      INSERT INTO "ResourceAccept" AS a ("resourceId", "scheme", "network", "symbol", "owner", "payTo", "requirements", "changedAt")
      SELECT owned."id", ${accept.scheme}, ${accept.network}, ${accept.symbol}, ${owner}, ${accept.payTo}, ${JSON.stringify(accept.requirements)}::jsonb,
        (SELECT now() FROM held) FROM owned
      ON CONFLICT ("resourceId", "scheme", "network", "symbol") DO UPDATE
        SET "owner" = EXCLUDED."owner", "payTo" = EXCLUDED."payTo", "requirements" = EXCLUDED."requirements",
          "changedAt" = CASE WHEN a."owner" = EXCLUDED."owner" THEN now() END
      WHERE a."owner" <> EXCLUDED."owner" OR a."requirements" <> EXCLUDED."requirements"
      RETURNING a."resourceId"
    ), displaced AS (
      DELETE FROM "ResourceAccept" a USING entry
      WHERE a."resourceId" = entry."id" AND a."owner" <> ${owner} AND (a."scheme", a."network", a."symbol") <> (${accept.scheme}, ${accept.network}, ${accept.symbol})
    )
    SELECT EXISTS (SELECT 1 FROM owned) AS "owned", EXISTS (SELECT 1 FROM entry) OR EXISTS (SELECT 1 FROM accepted) AS "changed"`
  if (!end?.owned) return 'refused'
  return end.changed ? 'changed' : 'unchanged'
}

/**
 * Who else holds the URL of an entry: `payees` are networks and payTos; `stale`: a sandbox caller that was not seen for a day; `same`: by
 * this very entry, and not by the page or another tool of its URL.
 */
export type Holder = { owner: string; stale: boolean; same: boolean; payees: { network: string; payTo: string }[] }

// Tools of an MCP server are shown by its URL: their entries, and the one of the URL itself, share it.
const besides = ({ environment, host, url }: Entry) => sql`
  r."environment" = ${environment} AND r."host" = ${host} AND split_part(r."url", '#', 1) = split_part(${url}, '#', 1)`

/** Whether no other owner has the page or another tool of the URL of an entry, or this owner has the entry already. */
const hasPlace = (entry: Entry) => sql`
  NOT EXISTS (SELECT 1 FROM "Resource" r WHERE ${besides(entry)} AND r."url" <> ${entry.url} AND r."owner" <> ${entry.owner} AND NOT ${yieldsTo(entry.class)})
  OR EXISTS (SELECT 1 FROM "Resource" r WHERE r."environment" = ${entry.environment} AND r."url" = ${entry.url} AND r."owner" = ${entry.owner})`

/** Another owner's hold on the URL of an entry, unless it yields; that on the very entry first. Null without one. */
export async function findHolder(db: Db, entry: Entry): Promise<Holder | null> {
  const { url, owner } = entry
  const [holder] = await db.query<Holder>`
    SELECT r."owner", ${isStale} AS "stale", r."url" = ${url} AS "same", COALESCE((SELECT jsonb_agg(jsonb_build_object('network', a."network", 'payTo', a."payTo"))
      FROM "ResourceAccept" a WHERE a."resourceId" = r."id" AND a."owner" = r."owner"), '[]') AS "payees"
    FROM "Resource" r WHERE ${besides(entry)} AND r."owner" <> ${owner} AND NOT ${yieldsTo(entry.class)}
      AND (r."url" = ${url} OR NOT EXISTS (
        SELECT 1 FROM "Resource" own WHERE own."environment" = ${entry.environment} AND own."url" = ${url} AND own."owner" = ${owner}))
    ORDER BY "same" DESC, r."id" LIMIT 1`
  return holder ?? null
}

/**
 * Another live key with history of the same merchant that has the URL of an entry, or its page or another tool, with the class of that: the
 * entry is this key's too. Null without one, where the entry has its URL itself, or where its class displaces that one. A class is raised only by a key whose plan is paid now.
 */
export async function findOwnHolder(db: Db, entry: Entry): Promise<Pick<Entry, 'owner' | 'class'> | null> {
  const { owner, url, class: ofClass } = entry
  const tenantId = /^tenant:([0-9a-f-]{36})$/.exec(owner)?.[1]
  if (tenantId === undefined) return null
  const [held] = await db.query<Pick<Entry, 'owner' | 'class'>>`
    SELECT r."owner", r."class" FROM "Resource" r
    WHERE ${besides(entry)} AND (r."class" = ${ofClass} OR (r."class" = 'production' AND ${ofClass} = 'free')) AND (r."owner" = ${owner} OR r."owner" IN (
      SELECT 'tenant:' || t."id" FROM "Tenant" me JOIN "Tenant" t ON (t."ownerKind", t."ownerId") = (me."ownerKind", me."ownerId")
      WHERE me."id" = ${tenantId}::uuid AND t."historyEnabled" AND t."revokedAt" IS NULL AND (r."class" = ${ofClass} OR t."plan" <> 'free')))
    ORDER BY r."url" = ${url} DESC, r."owner" = ${owner} DESC, r."id" LIMIT 1`
  return held === undefined || held.owner === owner ? null : held
}

// Each hour, so that strangers cannot have us call a host without end. Paid keys have a share that free ones cannot use up.
const ASKED = { ofOwner: 10, ofHost: 30, inAll: 300 }

/** Has the origin of an entry asked whose it is, within the bounds of its owner, its host and its class. */
export async function askOrigin(db: Db, settlementId: string, { owner, host, class: ofClass }: Entry): Promise<void> {
  const share = { kind: 'origin', period: 'hour' } as const
  await db.execute`
    WITH "owner" AS (${counting({ ...share, subject: owner, cap: ASKED.ofOwner })}),
      "host" AS (${counting({ ...share, subject: `${ofClass} ${host}`, cap: ASKED.ofHost, where: sql`EXISTS (SELECT 1 FROM "owner")` })}),
      "all" AS (${counting({ ...share, subject: ofClass, cap: ASKED.inAll, where: sql`EXISTS (SELECT 1 FROM "host")` })})
    INSERT INTO "Outbox" ("kind", "key") SELECT 'origins', ${settlementId} FROM "all"
    ON CONFLICT ("kind", "key") WHERE "doneAt" IS NULL DO NOTHING`
}

// Figures are the owner's: a new owner begins with none.
const figuresOfOwner = join(
  [sql`"tries"`, sql`"calls"`, sql`"callers"`, sql`"volume"`].map(
    (column) => sql`${column} = CASE WHEN r."owner" = EXCLUDED."owner" THEN r.${column} ELSE 0 END`,
  ),
  ', ',
)

// The count stops at the limit.
function hasRoom({ environment, url, owner, host, class: ofClass }: Entry, caps: EntryCaps): Sql {
  const under = (which: Sql, cap: number) =>
    sql`(SELECT count(*) FROM (SELECT 1 FROM "Resource" WHERE ${which} LIMIT ${cap}) counted) < ${cap}`
  const since = caps.perDay ? sql`AND "firstSeen" > now() - interval '1 day'` : empty
  return sql`
    EXISTS (SELECT 1 FROM "Resource" WHERE "environment" = ${environment} AND "url" = ${url} AND "owner" = ${owner})
    OR (${under(sql`"owner" = ${owner} AND "environment" = ${environment} ${since}`, caps.ofOwner)}
      AND (${under(sql`"host" = ${host} AND "environment" = ${environment} AND "class" = ${ofClass}`, caps.ofHost)}
        OR ${under(sql`"owner" = ${owner} AND "environment" = ${environment} AND "host" = ${host}`, caps.ofOwnerOnFullHost)}))`
}

/** How long an entry stays without a settlement. */
export const RETENTION = sql`interval '90 days'`

/** Deletes some entries unseen for 90 days. Returns how many. */
export const pruneEntries = pruning(sql`"Resource"`, sql`"id"`, sql`"lastSeen"`, sql`now() - ${RETENTION}`)

/** A resource of an owner's key in the catalog. */
type OwnListingRow = {
  id: string
  environment: Environment
  url: string
  description: string | null
  x402Version: number
  /** The tenant that settles for it; `keyRevoked` and `optedOut` are that tenant's. */
  tenantId: string
  keyRevoked: boolean
  optedOut: boolean
  /** The network of each way to pay. */
  networks: string[]
  /** The price of each way, in atomic units; null in an entry of an earlier version. */
  amounts: (string | null)[]
  /** The token of each price. */
  symbols: string[]
  /** Its payments of the last 30 completed days. */
  calls: number
  /** What these brought in USDC, in atomic units. */
  volume: string
  lastSeen: Date
  /** When it expires without another settlement. */
  until: Date
  listed: boolean
}

/** A listing with its paid calls on each of these 30 days, oldest first; null without any. */
export type OwnListing = OwnListingRow & { days: readonly number[] | null }

/** What an owner's listings came to in the last 30 completed days; the volume is atomic units of USDC. Keys without history count for none. */
export type ListingSums = { listings: number; listed: number; calls: number; volume: string }

/** The sums of the catalog entries of an owner's tenants in an environment. */
export async function sumOwnListings(db: Db, owner: Owner, environment: Environment): Promise<ListingSums> {
  const [sums] = await db.queryUnprepared<ListingSums>`
    SELECT count(*)::int AS "listings", count(*) FILTER (WHERE r."lastSeen" > now() - ${RETENTION})::int AS "listed",
      COALESCE(sum(r."calls") FILTER (WHERE t."historyEnabled"), 0)::float8 AS "calls",
      COALESCE(sum(r."volume") FILTER (WHERE t."historyEnabled"), 0)::text AS "volume"
    FROM "Tenant" t JOIN "Resource" r ON r."owner" = 'tenant:' || t."id"
    WHERE ${chargedBy(owner, 'Tenant')} AND r."environment" = ${environment}`
  return sums ?? { listings: 0, listed: 0, calls: 0, volume: '0' }
}

/** The catalog entries of an owner's tenants in an environment, by the volume that they show, then most recently seen first. */
export function readOwnListings(
  db: Db,
  owner: Owner,
  { environment, limit, offset }: { environment: Environment; limit: number; offset: number },
): Promise<OwnListingRow[]> {
  return db.queryUnprepared<OwnListingRow>`
    SELECT r."id", r."environment", r."url", r."description", r."x402Version", t."id" AS "tenantId", t."revokedAt" IS NOT NULL AS "keyRevoked",
      NOT t."historyEnabled" AS "optedOut", r."lastSeen", r."lastSeen" + ${RETENTION} AS "until", r."lastSeen" > now() - ${RETENTION} AS "listed",
      ARRAY(SELECT a."network" FROM "ResourceAccept" a WHERE a."resourceId" = r."id" AND a."owner" = r."owner" ORDER BY a."network", a."symbol") AS "networks",
      ARRAY(SELECT a."requirements"->>'maxAmountRequired' FROM "ResourceAccept" a WHERE a."resourceId" = r."id" AND a."owner" = r."owner" ORDER BY a."network", a."symbol") AS "amounts",
      ARRAY(SELECT a."symbol" FROM "ResourceAccept" a WHERE a."resourceId" = r."id" AND a."owner" = r."owner" ORDER BY a."network", a."symbol") AS "symbols",
      r."calls", r."volume"::text AS "volume"
    FROM "Tenant" t JOIN "Resource" r ON r."owner" = 'tenant:' || t."id"
    WHERE ${chargedBy(owner, 'Tenant')} AND r."environment" = ${environment}
    ORDER BY CASE WHEN t."historyEnabled" THEN r."volume" ELSE 0 END DESC, r."lastSeen" DESC, r."id" LIMIT ${limit} OFFSET ${offset}`
}
