import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Chain, startChain } from '../../devnet/chain'
import { fundedKey } from '../../test/support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { ADMIN_KEY } from '../../test/support/service/harness'
import { startMainProcess } from '../../test/support/service/main-process'
import { until } from '../../test/support/until'

let chain: Chain
let database: FreshDatabase
beforeAll(async () => {
  ;[database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532, blockTimeSeconds: 0.2 })])
})
afterAll(() => Promise.all([database.close(), chain.stop()]))

const Line = z.object({ level: z.string(), time: z.iso.datetime(), msg: z.string() })

test('every line that the service writes to its standard output is JSON with a level, a time and a message, on any page', async () => {
  const service = await startMainProcess({
    DATABASE_URL: database.url,
    ADMIN_KEY,
    BASE_SEPOLIA_RPC_URL: chain.url,
    EVM_SANDBOX_SIGNER_KEYS: await fundedKey(chain),
  })
  try {
    // Pages and what Next answers itself, as far as they are built; the last is one that it complains about.
    for (const path of ['/dashboard', '/nothing', '/_next/static/nothing.js', '/_next/image?url=%2Fx&w=64&q=75']) {
      await fetch(`${service.url}${path}`)
    }
    const action = { 'next-action': 'ab'.repeat(21), 'content-type': 'text/plain' }
    await fetch(`${service.url}/home`, { method: 'POST', headers: action, body: '[]' })
    const requests = () => service.log().split('"msg":"request"').length - 1
    await until(() => requests() >= 5, 'all to be in the log')
    await service.kill('SIGTERM')
  } finally {
    await service.kill('SIGKILL')
  }
  // What follows the last line break was not read to its end.
  const lines = service.log().split('\n').slice(0, -1)
  expect(lines.filter((line) => !isLine(line))).toEqual([])
})

function isLine(text: string): boolean {
  try {
    return Line.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}
