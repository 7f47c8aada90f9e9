import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const Call = z.object({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()) })
export type Call = z.infer<typeof Call>

/** The gate's decision on a call: null forwards it, an error is the answer, 'down' breaks the whole request. */
export type Rule = (call: Call) => null | 'down' | { code: number; message: string }

/** A proxy in front of a node, with rules for failures. */
export type RpcGate = { url: string; rule: (rule: Rule) => void; close: () => Promise<void> }

const open: Rule = () => null

/** Starts a gate in front of a node. Its URL path is a secret that must never leak. */
export async function startRpcGate(nodeUrl: string): Promise<RpcGate> {
  let rule = open
  const server = createServer(async (request, response) => {
    const calls = z.array(Call).parse(JSON.parse(await text(request)))
    const verdicts = calls.map((call) => rule(call))
    if (verdicts.includes('down')) return response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')
    const passed = calls.filter((_, at) => verdicts[at] === null)
    const refused = calls.flatMap(({ id }, at) => (verdicts[at] === null ? [] : [{ jsonrpc: '2.0', id, error: verdicts[at] }]))
    const body = JSON.stringify(passed.map((call) => ({ jsonrpc: '2.0', ...call })))
    const headers = { 'content-type': 'application/json' }
    const answers = passed.length > 0 ? await (await fetch(nodeUrl, { method: 'POST', headers, body })).json() : []
    response.writeHead(200, headers).end(JSON.stringify([...z.array(z.unknown()).parse(answers), ...refused]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v2/provider-secret`,
    rule: (next) => {
      rule = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
