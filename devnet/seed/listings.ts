import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../server/db/database'
import { listingOf } from '../../server/discovery/bazaar'
import { CAPS, entryOf } from '../../server/discovery/entries'
import { type DeclaredRow, writeEntry } from '../../server/discovery/entry-queries'
import { mainAsset } from '../../server/x402/networks/networks'
import type { Declared } from '../../server/x402/payment'
import type { SeededRow } from './history'

type Words = { service: string; tags: string[]; about: string; example: object }

const WEATHER = { service: 'Demo Weather', tags: ['weather', 'climate'] }
const RESEARCH = { service: 'Demo Research', tags: ['research', 'search'] }

/** What the sold resources of the history say about themselves. */
const words: Record<string, Words> = {
  'https://weather.demo.example/forecast': {
    ...WEATHER,
    about: 'Hourly forecast of a city for the next three days.',
    example: { city: 'Lisbon', hours: [{ at: '14:00', celsius: 21, sky: 'clear' }] },
  },
  'https://weather.demo.example/radar': {
    ...WEATHER,
    about: 'Rain radar of the last hour around a place.',
    example: { frames: 12, rain: false },
  },
  'https://weather.demo.example/history': {
    ...WEATHER,
    about: 'Daily weather of a place since 1990.',
    example: { days: 12_843, warmest: 38.2 },
  },
  'https://research.demo.example/search': {
    ...RESEARCH,
    about: 'Search over open research papers.',
    example: { results: [{ title: 'On small payments', year: 2026 }] },
  },
  'https://research.demo.example/report': {
    ...RESEARCH,
    about: 'A report on a question, with its sources.',
    example: { pages: 12, sources: 31 },
  },
  'https://research.demo.example/summary': {
    ...RESEARCH,
    about: 'The summary of a paper in five sentences.',
    example: { sentences: 5 },
  },
  'https://staging.demo.example/ping': {
    service: 'Demo Staging',
    tags: ['test'],
    about: 'Answers with the time.',
    example: { pong: true },
  },
}

/** Lists every sold resource of these rows as its settlements would have. Returns how many. The service computes their figures. */
export async function listResources(db: Db, rows: readonly SeededRow[]): Promise<number> {
  const sold = rows.filter(({ success }) => success)
  // Of each way to pay, the newest settlement.
  const ways = new Map(sold.map((row) => [`${row.resource} ${row.network}`, row]))
  for (const row of ways.values()) await list(db, row)
  const newest = new Map(sold.map((row) => [row.resource, row.createdAt]))
  const oldest = new Map(sold.toReversed().map((row) => [row.resource, row]))
  for (const [url, first] of oldest) {
    const data = { firstSeen: first.createdAt, lastSeen: newest.get(url) ?? first.createdAt }
    await db.resource.updateMany({ where: { url, owner: ownerOf(first) }, data })
  }
  return oldest.size
}

const ownerOf = ({ tenantId }: Pick<SeededRow, 'tenantId'>) => `tenant:${tenantId}`

async function list(db: Db, sold: SeededRow): Promise<void> {
  const { network, payTo, resource, amount } = sold
  const asset = mainAsset(network).address
  const declared = declarationOf(resource)
  const row: DeclaredRow = { scheme: 'exact', network, asset, payTo, resource, declared, amount: BigInt(amount), ...ofKey(sold) }
  const listing = listingOf({ ...row, declared }, { privateHosts: true })
  if (!listing || 'rejected' in listing)
    throw new Error(`${resource} cannot be listed: ${listing?.rejected ?? 'nothing declared'}`)
  // An entry is written together with the end of its effect.
  const { id } = await db.outbox.create({ data: { kind: 'catalog', key: uuidv7() } })
  await writeEntry(db, id, entryOf(row, listing), CAPS.production)
  await db.outbox.delete({ where: { id } })
}

const ofKey = (row: SeededRow) => ({ owner: ownerOf(row), class: 'production' as const })

function declarationOf(resource: string): Declared {
  const found = words[resource]
  if (!found) throw new Error(`${resource} has no description`)
  const { service, tags, about, example } = found
  const info = { input: { type: 'http', method: 'GET', queryParams: {} }, output: { type: 'json', example } }
  return {
    description: about,
    mimeType: 'application/json',
    resourceInfo: { serviceName: service, tags },
    extensions: { bazaar: { info } },
  }
}
