import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startTwoNetworks } from '../../../test/interop/official-clients'
import { startRedis } from '../../../test/support/database/redis'
import { fixture } from '../../../test/support/fixture'
import { crashCases, newSale } from '../../quittance/test/crash-cases'
import { failoverCases } from '../../quittance/test/failover-cases'
import { signedHeader } from '../../quittance/test/merchant-process'
import type { MerchantSettings } from '../../quittance/test/settings'
import { pythonCases } from './cases'
import { programOf, pythonEnv, startPythonServer } from './programs'
import { builtWheel, PYTHON } from './wheel'

const all = fixture(async () => {
  const [networks, wheel, redis] = await Promise.all([startTwoNetworks(), builtWheel(), startRedis()])
  return {
    ...networks,
    site: wheel.site,
    redis: redis.url,
    async close() {
      rmSync(wheel.folder, { recursive: true, force: true })
      await Promise.all([networks.close(), redis.kill()])
    },
  }
})

test('the wheel does what the TypeScript package does without a facilitator', async () => {
  const env = pythonEnv(all.site, { CASES: JSON.stringify(await pythonCases()), REDIS_URL: all.redis })
  const { stderr } = await promisify(execFile)(PYTHON, [programOf('cases.py')], { env })
  expect(stderr).toMatch(/^Ran \d\d tests .*\n\nOK$/m)
})

async function startMerchant(settings: MerchantSettings) {
  const { url, ...merchant } = await startPythonServer('merchant.py', all.site, { MERCHANT: JSON.stringify(settings) })
  return { url: `${url}/weather`, ...merchant }
}

crashCases(all, startMerchant)
failoverCases(all, startMerchant)

test('RecoveringFacilitatorClientSync returns the success of a settle before which its process died, once', async () => {
  const { settings, key, received } = await newSale(all, 'recovering')
  const merchant = await startMerchant(settings)
  const headers = await signedHeader(merchant.url, key)
  await merchant.kill()
  const paymentPayload = JSON.parse(Buffer.from(Object.values(headers)[0] ?? '', 'base64').toString())
  const body = JSON.stringify({ paymentPayload, paymentRequirements: paymentPayload.accepted })
  const run = async (dies: boolean) => {
    const asked = [programOf('sync_settle.py'), settings.facilitators[0], `${settings.store}.db`, String(dies)]
    const child = spawn(PYTHON, asked, { env: pythonEnv(all.site), stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (piece: Buffer) => {
      output += piece.toString()
    })
    child.stdin.end(body)
    await once(child, 'close')
    return output
  }
  expect(await run(true)).toBe('')
  expect(JSON.parse(await run(false))).toMatchObject([
    { isValid: true },
    { success: true, extensions: { 'settlement-receipt': {} } },
    { success: false, errorReason: 'duplicate_settlement' },
  ])
  expect(await received()).toBe(1_000n)
})
