import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A fake agent registry index. */
export type StandInRegistry = {
  url: string
  /** The lookups so far, in order. */
  asked: { owner: string; network: string }[]
  /** Gives a wallet an agent on a network. */
  mint: (owner: string, network: string, agent: { token_id: string; name?: string | null; url?: string }) => void
  /** From now on it never answers, or answers with an error; null ends that. */
  misbehave: (how: 'black hole' | 'status 500' | null) => void
  close: () => Promise<void>
}

/** Starts a registry on a free port. */
export async function startAgentRegistry(): Promise<StandInRegistry> {
  const agents = new Map<string, object[]>()
  const asked: StandInRegistry['asked'] = []
  let trouble: 'black hole' | 'status 500' | null = null
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://registry.test').searchParams
    const [owner, network] = [query.get('owner') ?? '', query.get('network') ?? '']
    asked.push({ owner, network })
    if (trouble === 'black hole') return
    if (trouble) return void response.writeHead(500).end()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: agents.get(`${owner.toLowerCase()} ${network}`) ?? [] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    mint(owner, network, agent) {
      const key = `${owner.toLowerCase()} ${network}`
      agents.set(key, [...(agents.get(key) ?? []), agent])
    },
    misbehave(how) {
      trouble = how
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
