// CPU per request of our HTTP server beside a bare node:http handler with the same work: `node scripts/bench.mjs http-server [requests]`
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PAYMENT_BODY_LIMIT } from '../server/http/bodies'
import type { ApiRoute } from '../server/http/route-table'
import { createHttpServer } from '../server/http/server'

const body = JSON.stringify({ x402Version: 2, paymentPayload: 'x'.repeat(1_500), paymentRequirements: { scheme: 'exact' } })
const outcome = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:84532', payer: `0x${'cd'.repeat(20)}` }

async function settle(request: Request): Promise<Response> {
  const payment = JSON.parse(await readText(request))
  return new Response(JSON.stringify({ ...outcome, version: payment.x402Version }), {
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
}

async function readText({ body: stream }: Request): Promise<string> {
  const pieces: Uint8Array[] = []
  const reader = stream?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) pieces.push(next.value)
  return Buffer.concat(pieces).toString()
}

const routes: ApiRoute[] = [
  { pattern: '/v1/:key/settle', methods: { POST: settle }, bodyLimit: PAYMENT_BODY_LIMIT, cors: 'open' },
]

const servers = {
  async bare(): Promise<number> {
    const server = createServer((req, res) => {
      const pieces: Buffer[] = []
      req.on('data', (piece) => pieces.push(piece))
      req.on('end', () => {
        const text = JSON.stringify({ ...outcome, version: JSON.parse(Buffer.concat(pieces).toString()).x402Version })
        res
          .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) })
          .end(text)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  },
  async ours(): Promise<number> {
    const server = createHttpServer({
      routes,
      fallback: async () => {},
      trustedProxyHops: 0,
      accepting: () => true,
      log: () => {},
      onTrouble: console.error,
    })
    return (await server.listen(0, '127.0.0.1')).port
  },
}

type Message = { port: number } | { cpuMicros: number }

// One connection: sends the next request as soon as an answer is complete.
async function client(port: number, requests: number): Promise<void> {
  const head = `POST /v1/qt_0123456789abcdef/settle HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: */*\r\nUser-Agent: node\r\nContent-Length: ${body.length}\r\n\r\n`
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  for (let sent = 0; sent < requests; sent += 1) {
    socket.write(head + body)
    let text = ''
    while (!text.endsWith('}')) text += String((await once(socket, 'data'))[0])
  }
  socket.destroy()
}

async function measure(name: string, requests: number): Promise<void> {
  const child = fork(import.meta.filename, [name], { execArgv: ['--import', 'tsx'] })
  const message = async () => (await once(child, 'message'))[0] as Message
  const ready = await message()
  if (!('port' in ready)) throw new Error('The server did not start.')
  const run = (count: number) => Promise.all(Array.from({ length: 16 }, () => client(ready.port, Math.ceil(count / 16))))
  const cpu = async () => {
    const reply = message()
    child.send('cpu')
    const answer = await reply
    return 'cpuMicros' in answer ? answer.cpuMicros : 0
  }
  await run(4_000)
  // The lowest of several rounds: other load on the machine only adds.
  let micros = Number.POSITIVE_INFINITY
  for (let round = 0; round < 8; round += 1) {
    const before = await cpu()
    await run(requests)
    micros = Math.min(micros, ((await cpu()) - before) / requests)
  }
  console.log(`${name.padEnd(5)} ${micros.toFixed(0).padStart(4)} µs CPU per request`)
  child.kill()
}

async function serve(name: keyof typeof servers): Promise<void> {
  const port = await servers[name]()
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMicros: user + system } satisfies Message)
  })
  process.send?.({ port } satisfies Message)
}

const [argument] = process.argv.slice(2)
if (argument === 'bare' || argument === 'ours') await serve(argument)
else for (const name of ['bare', 'ours']) await measure(name, Number(argument ?? 10_000))
