import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that passed, and its answer; the answer is null where the merchant was gone by then. */
export type Passed = { route: string; body: string; answer: { status: number; body: string } | null }

export type FacilitatorProxy = {
  url: string
  passed: Passed[]
  /** Called for each answer before it goes on. */
  onAnswer: (listener: (passed: Passed) => void | Promise<void>) => void
  close: () => Promise<void>
}

/** Starts a proxy between a merchant and its facilitator, which remembers what passes. */
export async function startFacilitatorProxy(target: string): Promise<FacilitatorProxy> {
  const passed: Passed[] = []
  let listener: (one: Passed) => void | Promise<void> = () => {}
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces).toString()
    const one: Passed = { route: request.url?.split('/').at(-1) ?? '', body, answer: null }
    passed.push(one)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const headers = { 'content-type': 'application/json' }
    const init = { method: request.method ?? 'GET', headers, signal: gone.signal, ...(body ? { body } : {}) }
    // The merchant hung up: so do we.
    const answer = await fetch(`${target}${request.url}`, init).catch(() => null)
    if (!answer) return response.destroy()
    one.answer = { status: answer.status, body: await answer.text() }
    await listener(one)
    response.writeHead(answer.status, headers).end(one.answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    onAnswer(next) {
      listener = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
