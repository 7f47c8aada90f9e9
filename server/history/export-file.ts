import { z } from 'zod'
import { signedInRate } from '../accounts/caller'
import type { App } from '../app'
import { ServiceError } from '../errors'
import { endpoint } from '../http/endpoint'
import { API_HEADERS } from '../http/errors'
import { administers, type Principal } from '../sign-in/principal'
import { principalOf } from '../sign-in/session-cookie'
import type { ExportSlots } from './export-slots'
import { exported, exportFormats } from './exports'
import { filterOf, listFilter, readers } from './filters'
import { scopeFor } from './procedures'

/** The history of the signed-in reader as a file, with the filters of the screen. Throws `too_many` if no export slot is free. */
export const exportHistory = endpoint({
  method: 'GET',
  path: '/api/export',
  unlisted: 'own pages',
  rate: signedInRate,
  credentials: { names: [], prove: signedIn },
  query: listFilter.extend({ reader: z.enum(readers), format: z.enum(exportFormats) }),
  async handler({ app, who, query: { reader, format, ...filters } }) {
    const rows = exported(app, reader, { ...filterOf(reader, filters), ...scopeFor({ principal: who }, reader) }, format)
    const day = app.now().toISOString().slice(0, 10)
    const leave = administers(who) ? app.exports.takeForAdmin() : app.exports.take(readerIn(who))
    return new Response(streamOf(rows, app.exports, leave), {
      headers: {
        ...API_HEADERS,
        'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json',
        'content-disposition': `attachment; filename="settlements-${day}.${format}"`,
      },
    })
  },
})

async function signedIn(app: App, request: Request): Promise<Principal> {
  const principal = await principalOf(app, request)
  if (!principal) throw new ServiceError('unauthorized', 'sign in to export a history')
  return principal
}

/** Streams at the reader's speed and holds its slot until it ends, is cancelled or stalls. */
function streamOf(
  texts: AsyncGenerator<string>,
  { stallMs, totalMs }: ExportSlots,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let stalled: NodeJS.Timeout | undefined
  let whole: NodeJS.Timeout | undefined
  let over = false
  const end = async () => {
    over = true
    clearTimeout(stalled)
    clearTimeout(whole)
    leave()
    await texts.return(undefined)
  }
  const abort = (controller: ReadableStreamDefaultController, why: string) => {
    controller.error(new Error(why))
    // The end also stops a pending read.
    void end().catch(() => {})
  }
  return new ReadableStream({
    start(controller) {
      whole = setTimeout(() => abort(controller, 'the export took too long'), totalMs).unref()
    },
    async pull(controller) {
      clearTimeout(stalled)
      try {
        const next = await texts.next()
        if (over) return
        if (next.done) {
          controller.close()
          return await end()
        }
        controller.enqueue(encoder.encode(next.value))
        stalled = setTimeout(() => abort(controller, 'the download stalled'), stallMs).unref()
      } catch (error) {
        await end()
        throw error
      }
    },
    cancel: end,
  })
}

// The kind is part of the name, so that a merchant and a wallet never share a slot.
const readerIn = (who: Principal) => `${who.kind} ${who.kind === 'merchant' ? who.id : who.kind === 'wallet' ? who.wallet : ''}`
