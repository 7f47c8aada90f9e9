import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const CLEAR = '{"identifications":[]}'
const FLAGGED = JSON.stringify({
  identifications: [{ category: 'sanctions', name: 'VENDOR DETAIL', description: 'VENDOR DETAIL' }],
})
const JSON_HEADERS = { 'content-type': 'application/json' }

/** The misbehaviours of the fake service. Where possible, careless parsing would read the bad answer as clear. */
const MISBEHAVIOURS = {
  'status 500': status(500),
  'status 429': status(429),
  'status 404': status(404),
  'status 403': status(403),
  'status 203': status(203),
  'html garbage': body('<html>Bad Gateway</html>', { 'content-type': 'text/html' }),
  'empty body': body(''),
  'half a JSON text': body(CLEAR.slice(0, -1)),
  null: body('null'),
  '[]': body('[]'),
  '{}': body('{}'),
  'identifications null': body('{"identifications":null}'),
  'identifications an object': body('{"identifications":{"length":0}}'),
  'identifications a text': body('{"identifications":""}'),
  'huge body': body(`{"identifications":[],"padding":"${'x'.repeat(64 * 1_024)}"}`),
  'huge body of blanks': body(CLEAR + ' '.repeat(64 * 1_024)),
  'endless body': (_, res) => {
    res.writeHead(200, JSON_HEADERS).write(CLEAR)
    const more = () => void res.write(' '.repeat(16 * 1_024))
    res.on('drain', more)
    // Enough bytes to fill the socket's buffer.
    res.write(' '.repeat(64 * 1_024))
  },
  redirect: (_, res) => res.writeHead(302, { location: '/elsewhere' }).end(CLEAR),
  'closes the socket': (req) => req.socket.destroy(),
  'closes the socket half way': (req, res) => {
    res.writeHead(200, { ...JSON_HEADERS, 'content-length': CLEAR.length + 1 })
    res.write(CLEAR, () => req.socket.destroy())
  },
  'hangs before headers': () => {},
  'hangs after headers': (_, res) => res.writeHead(200, JSON_HEADERS).flushHeaders(),
  'hangs after the JSON': (_, res) => res.writeHead(200, JSON_HEADERS).write(CLEAR),
  drips: (_, res) => {
    res.writeHead(200, JSON_HEADERS).write(CLEAR)
    const dripping = setInterval(() => res.write(' '), 10)
    res.once('close', () => clearInterval(dripping))
  },
} as const satisfies Record<string, Behaviour>

type Behaviour = (req: IncomingMessage, res: ServerResponse) => void

export type Misbehaviour = keyof typeof MISBEHAVIOURS

/** A 429, with an optional `retry-after`. */
export type TooOften = { status: 429; retryAfter: string | null }

/** Every misbehaviour, for test tables. */
export const misbehaviours = Object.keys(MISBEHAVIOURS).filter((name): name is Misbehaviour => name in MISBEHAVIOURS)

/** A fake KYT service: every address is clear until a test flags it. */
export type Kyt = {
  url: string
  /** The requests so far, in order: raw path and key. */
  requests: { path: string; apiKey: string | undefined }[]
  /** Addresses that a complete answer declared clear, in their requested spelling. */
  cleared: ReadonlySet<string>
  flag(address: string): void
  /** From now on it misbehaves, for one address if given; null ends that. */
  misbehave(how: Misbehaviour | TooOften | null, address?: string): void
  /** The number of open connections. */
  connections(): Promise<number>
  close(): Promise<void>
}

/** Starts a fake KYT service on a free port. */
export async function startKyt(): Promise<Kyt> {
  const flagged = new Set<string>()
  const cleared = new Set<string>()
  const misbehaving = new Map<string, Misbehaviour | TooOften>()
  const everywhere = '*'
  const requests: Kyt['requests'] = []

  function serve(req: IncomingMessage, res: ServerResponse): void {
    const path = req.url ?? ''
    const key = req.headers['x-api-key']
    requests.push({ path, apiKey: key === undefined ? undefined : String(key) })
    const address = /\/address\/([^/?]+)$/.exec(path)?.[1]
    // The target of the redirect declares every address clear.
    const one = address === undefined ? undefined : spelled(decodeURIComponent(address))
    const how = one === undefined ? undefined : (misbehaving.get(one) ?? misbehaving.get(everywhere))
    const verdict = body(one !== undefined && flagged.has(one) ? FLAGGED : CLEAR)
    if (one !== undefined && !how && !flagged.has(one)) cleared.add(one)
    const behave = how === undefined ? verdict : typeof how === 'string' ? MISBEHAVIOURS[how] : tooOften(how)
    behave(req, res)
  }

  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    cleared,
    flag(address) {
      flagged.add(spelled(address))
    },
    misbehave(how, address) {
      const whom = address === undefined ? everywhere : spelled(address)
      if (how) misbehaving.set(whom, how)
      else misbehaving.delete(whom)
    },
    connections: () =>
      new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count)))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

// Hexadecimal addresses are the same in any case, base58 ones are not.
function spelled(address: string): string {
  return /^0x/i.test(address) ? address.toLowerCase() : address
}

function tooOften({ status: code, retryAfter }: TooOften): Behaviour {
  return (_, res) => res.writeHead(code, retryAfter === null ? {} : { 'retry-after': retryAfter }).end()
}

function status(code: number): Behaviour {
  return (_, res) => res.writeHead(code, JSON_HEADERS).end(CLEAR)
}

function body(text: string, headers: Record<string, string> = JSON_HEADERS): Behaviour {
  return (_, res) => res.writeHead(200, headers).end(text)
}
