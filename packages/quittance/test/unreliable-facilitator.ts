import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a facilitator treats settle: it never answers and sends nothing; it settles and never answers; it refuses; or it works. */
export type Manner = 'silent' | 'settles silently' | 'unavailable' | 'works'

/** A facilitator before a real one; `settles` counts the requests for settle that reached it. */
export type UnreliableFacilitator = { url: string; settles: () => number; close: () => Promise<void> }

/** Starts a facilitator that passes everything on to `target` but settle, which it treats in its manner. */
export async function startUnreliableFacilitator(target: string, manner: Manner): Promise<UnreliableFacilitator> {
  let settles = 0
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const headers = { 'content-type': 'application/json' }
    const isSettle = request.url === '/settle'
    if (isSettle) settles += 1
    if (isSettle && manner === 'silent') return
    if (isSettle && manner === 'unavailable') {
      const refusal = { success: false, errorReason: 'facilitator_unavailable', transaction: '', network: 'eip155:84532' }
      return response.writeHead(503, headers).end(JSON.stringify(refusal))
    }
    const body = Buffer.concat(pieces).toString()
    const init = { method: request.method ?? 'GET', headers, ...(body ? { body } : {}) }
    const answer = await fetch(`${target}${request.url}`, init)
    if (isSettle && manner === 'settles silently') return
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settles: () => settles,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
