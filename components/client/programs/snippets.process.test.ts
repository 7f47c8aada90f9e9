import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runModule } from '@/test/support/service/shown-programs'
import { historyProgram } from './snippets'

test('the program of all settlements waits as long as a 429 says, and misses no page', async () => {
  const row = (tx_hash: string) => ({
    created_at: '2026-11-27T10:00:00.000Z',
    success: true,
    payer_amount: '1000',
    network: 'eip155:84532',
    tx_hash,
  })
  const asked: (string | null)[] = []
  const server = createServer((request, response) => {
    const cursor = new URL(request.url ?? '/', 'http://localhost').searchParams.get('cursor')
    asked.push(cursor)
    if (asked.length === 2) return response.writeHead(429, { 'retry-after': '1' }).end('{"error":"too many requests"}')
    const page = cursor === null ? { settlements: [row('0x1')], cursor: 'second', has_more: true } : { settlements: [row('0x2')] }
    response.end(JSON.stringify(page))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const printed = await runModule(historyProgram(`http://127.0.0.1:${port}`), { TOKEN: 'token' })
  const line = (hash: string) => `2026-11-27T10:00:00.000Z paid 1000 eip155:84532 ${hash}\n`
  expect(printed).toBe(line('0x1') + line('0x2'))
  expect(asked).toEqual([null, 'second', 'second'])
})
