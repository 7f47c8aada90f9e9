import { randomBytes } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { bulkhead } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import type { Rendered } from './captured-response'

/** Documents that every visitor gets alike. They are rendered once; each response gets a nonce of its own. */
export type SharedDocuments = {
  /** The document that is rendered at this path; null if Next does not render it now, or not for everyone. */
  read: (path: string, nonce: string) => Promise<Rendered | null>
}

/** Renders the document of a path with this nonce, for a visitor without cookies. */
export type RenderDocument = (path: string, nonce: string) => Promise<Rendered>

/** Home shows totals of the catalog, and documents the networks that are served now. */
const KEPT_MS = 60_000
const DOCUMENTS_MAX = 100
const BYTES_MAX = 32 * 1_024 * 1_024
/** These statuses mean the same for every visitor. */
const KEPT_STATUSES = [200, 404]
const NONCE_BYTES = 16

/** A nonce that no one can guess. */
export const newNonce = () => randomBytes(NONCE_BYTES).toString('base64')

/** A document in the parts between its nonces. */
type Kept = { status: number; headers: OutgoingHttpHeaders; mark: string; parts: Buffer[]; bytes: number }

/** The shared documents of a process. The caller names only paths that exist, so that strangers cannot fill the cache. */
export function createSharedDocuments(render: RenderDocument, { keptMs = KEPT_MS } = {}): SharedDocuments {
  // One at a time: each takes as much of the thread as many payments.
  const line = bulkhead(1, DOCUMENTS_MAX)
  const documents = new LRUCache<string, Kept>({
    max: DOCUMENTS_MAX,
    maxSize: BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes + 1,
    ttl: keptMs,
    ignoreFetchAbort: true,
    fetchMethod: (path) => line.execute(() => keep(render, path)),
  })
  return {
    async read(path, nonce) {
      const kept = await documents.fetch(path)
      return kept ? withNonce(kept, nonce) : null
    },
  }
}

async function keep(render: RenderDocument, path: string): Promise<Kept | undefined> {
  // Visitors never see this nonce, so no text of the page can contain it.
  const mark = newNonce()
  const { status, headers, body } = await render(path, mark)
  // A cookie is for one visitor.
  if (!KEPT_STATUSES.includes(status) || headers['set-cookie'] !== undefined) return undefined
  return { status, headers, mark, parts: split(body, mark), bytes: body.length }
}

function split(body: Buffer, mark: string): Buffer[] {
  const parts: Buffer[] = []
  let from = 0
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, from)) {
    parts.push(body.subarray(from, at))
    from = at + mark.length
  }
  return [...parts, body.subarray(from)]
}

function withNonce({ status, headers, mark, parts }: Kept, nonce: string): Rendered {
  const piece = Buffer.from(nonce)
  const body = Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [piece, part])))
  const said = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replaceAll(mark, nonce) : value,
  ])
  return { status, headers: Object.fromEntries(said), body }
}
