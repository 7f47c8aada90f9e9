import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { main } from './steps.mjs'

/** The demo's service. */
const USUAL = 'http://localhost:3000'

// Passes messages between a client on stdin and stdout and the MCP server of a facilitator. Output is for the client only.
await main(async () => {
  const base = process.argv[2] ?? process.env.BASE_URL ?? USUAL
  if (!URL.canParse(base)) throw new Error(`“${base}” is no URL: npm run -s mcp -- [base URL of the service]`)
  const session = process.env.MCP_SESSION
  const headers = session ? { authorization: `Bearer ${session}` } : {}
  const service = new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit: { headers } })
  const client = new StdioServerTransport()
  client.onmessage = (message) =>
    service.send(message).catch((error) => {
      if (!('id' in message) || !('method' in message)) return
      const text = `the facilitator at ${base} does not answer: ${error instanceof Error ? error.message : error}`
      return client.send({ jsonrpc: '2.0', id: message.id, error: { code: -32_000, message: text } })
    })
  service.onmessage = (message) => client.send(message)
  const closed = new Promise((resolve) => {
    client.onclose = resolve
    process.stdin.once('end', resolve)
  })
  await service.start()
  await client.start()
  await closed
  await service.close()
})
