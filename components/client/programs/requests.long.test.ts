import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isInstalled } from '@/test/support/service/shown-programs'
import { requestPrograms, type ShownRequest } from './requests'

const run = promisify(execFile)
const SECRETS = { TOKEN: 'st_1', ADMIN_KEY: 'admin', MESSAGE: 'bQ==', SIGNATURE: '0x1', PAYMENT: 'cA==' }

type Received = { method: string | undefined; url: string | undefined; headers: Record<string, unknown>; body: string }

let received: Received[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request) body += piece
  const { authorization, 'content-type': type, 'payment-signature': payment, 'x-siwe-message': message } = request.headers
  received.push({ method: request.method, url: request.url, headers: { authorization, type, payment, message }, body })
  response.end('{"ok":true}')
})
let base = ''
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'requests-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  base = `http://127.0.0.1:${address.port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

const BODY = { name: `it's "quoted" $HOME \\n ü`, list: ['a', 1, true, null], nested: { empty: {}, none: [] }, amount: '1000' }

const requests: ShownRequest[] = [
  { method: 'GET', url: '/supported?network=base&x=1', credential: null, body: null },
  { method: 'POST', url: '/sandbox/settle', credential: null, body: BODY },
  { method: 'PATCH', url: '/api/v1/agent/config', credential: 'session', body: BODY },
  { method: 'POST', url: '/api/v1/auth/siwe', credential: 'siwe', body: null },
  { method: 'DELETE', url: '/admin/x', credential: 'admin', body: null },
  { method: 'POST', url: '/buy', credential: 'payment', body: null },
]

/** Runs a program as its reader would, and returns the request that it sent. */
async function sentBy(label: string, code: string): Promise<Omit<Received, 'body'> & { body: unknown }> {
  received = []
  const env = { ...process.env, ...SECRETS }
  const file = path.join(folder, label === 'Python' ? 'request.py' : 'request.mjs')
  await writeFile(file, code)
  if (label === 'curl') await run('sh', ['-c', `${code} -sS`], { env })
  else await run(label === 'Python' ? 'python3' : process.execPath, [file], { env })
  const [one, another] = received
  if (!one || another) throw new Error(`${label} sent ${received.length} requests`)
  return { ...one, body: one.body === '' ? null : JSON.parse(one.body) }
}

describe.each(requests)('the programs of $method $url', (request) => {
  const LABELS = ['curl', 'TypeScript', 'Python'].filter((label) => label !== 'Python' || isInstalled('python3'))
  test('send the same request in every language', async () => {
    const programs = requestPrograms({ ...request, url: base + request.url })
    for (const { label, code } of programs.filter((program) => LABELS.includes(program.label))) {
      const sent = await sentBy(label, code)
      expect(sent, label).toMatchObject({ method: request.method, url: request.url, body: request.body })
      const token = { session: 'Bearer st_1', admin: 'Bearer admin' }[String(request.credential)]
      expect(sent.headers.authorization, label).toBe(token)
      expect(sent.headers.message, label).toBe(request.credential === 'siwe' ? 'bQ==' : undefined)
      expect(sent.headers.payment, label).toBe(request.credential === 'payment' ? 'cA==' : undefined)
      if (request.body !== null) expect(sent.headers.type, label).toBe('application/json')
    }
  })
})
