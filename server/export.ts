import { z } from 'zod'
import { ServiceError } from './errors'
import { checked } from './http/checked'
import { limitByAddress } from './http/reading'
import { API_HEADERS } from './http/refusal'
import { principalOf } from './http/session-cookie'
import type { App } from './services/app'
import { exported, exportFormats } from './services/exports'
import { filterOf, listFilter } from './trpc/history'
import { readers, scopeFor } from './trpc/settlements'

const asked = listFilter.extend({ reader: z.enum(readers), format: z.enum(exportFormats) })

/** `GET /api/export`: a history of whoever is signed in as a file, with the filters of the screen. */
export async function exportHistory(app: App, request: Request): Promise<Response> {
  await limitByAddress(app, request)
  const principal = await principalOf(app, request)
  if (!principal) throw new ServiceError('unauthorized', 'sign in to export a history')
  const { reader, format, ...filters } = checked(asked, Object.fromEntries(new URL(request.url).searchParams))
  const rows = exported(app, reader, { ...filterOf(reader, filters), ...scopeFor({ principal }, reader) }, format)
  const day = app.now().toISOString().slice(0, 10)
  return new Response(streamOf(rows), {
    headers: {
      ...API_HEADERS,
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json',
      'content-disposition': `attachment; filename="settlements-${day}.${format}"`,
    },
  })
}

function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const next = await texts.next()
      if (next.done) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
    async cancel() {
      await texts.return(undefined)
    },
  })
}
