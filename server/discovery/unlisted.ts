import type { Owner } from '../accounts/tenant-queries'
import type { App } from '../app'
import { listedUrl } from '../x402/listing-url'
import { symbolOf, type Token, tokenNamed } from '../x402/networks/assets'
import { type Environment, environmentOf, isNetworkId } from '../x402/networks/networks'
import { type ListingRules, listingOf } from './bazaar'
import { declaredIn } from './entries'
import { type PaidRow, readHolders, readPaid, schemeOf } from './entry-queries'

/** Why a paid resource has no listing of this merchant. */
export type Why = 'undeclared' | 'rejected' | 'taken' | 'full'

/** A paid resource without a listing. `detail` says what was wrong with its declaration. */
export type Unlisted = Pick<PaidRow, 'id' | 'resource' | 'network' | 'amount' | 'calls' | 'lastPaid'> & {
  /** The token of the amount. */
  token: Token
  why: Why
  detail: string | null
}

/** The newest payments that are read, and the resources among them. */
const READ_MAX = { rows: 2_000, resources: 200 } as const
const UNLISTED_MAX = 50

/** A listing follows its payment some time later. */
const SOON_MS = 60_000

type Where = Pick<App, 'db'> & { config: ListingRules }

/**
 * What a merchant was paid for lately in an environment without a listing, last paid first, and why. The newest payment of a resource
 * decides.
 */
export async function unlistedOf({ db, config }: Where, owner: Owner, asked: Environment): Promise<Unlisted[]> {
  const rows = (await readPaid(db, owner, READ_MAX)).filter(({ network }) => environmentIn(network) === asked)
  const paid = rows.map((row) => {
    const listing = listingOf(
      { ...row, scheme: schemeOf(row.maximum), amount: BigInt(row.maximum ?? row.amount), declared: declaredIn(row) },
      config,
    )
    const place = listing && 'url' in listing ? listing : listedUrl(row.resource, null, config)
    return { row, listing, url: 'url' in place ? place.url : null }
  })
  const urls = paid.flatMap(({ url }) => url ?? [])
  const holders = urls.length === 0 ? [] : await readHolders(db, owner, urls)
  return paid
    .flatMap(({ row, listing, url }): Unlisted[] => {
      const holder = holders.find((one) => one.url === url && one.environment === asked)
      if (holder?.own) return []
      const found = reason(listing, holder !== undefined)
      if (found.why === 'full' && Date.now() - row.lastPaid.getTime() < SOON_MS) return []
      const { id, resource, network, amount, calls, lastPaid } = row
      const token = tokenNamed(symbolOf(network, row.asset))
      return [{ id, resource, network, amount, token, calls, lastPaid, ...found }]
    })
    .slice(0, UNLISTED_MAX)
}

function reason(listing: ReturnType<typeof listingOf>, held: boolean): Pick<Unlisted, 'why' | 'detail'> {
  if (listing === null) return { why: 'undeclared', detail: null }
  if ('rejected' in listing) return { why: 'rejected', detail: listing.rejected }
  return { why: held ? 'taken' : 'full', detail: null }
}

const environmentIn = (network: string): Environment | null => (isNetworkId(network) ? environmentOf(network) : null)
