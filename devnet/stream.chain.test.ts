import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { serveKeys } from '../test/interop/channel-traffic'
import { fixture } from '../test/support/fixture'
import { startHarness } from '../test/support/service/harness'
import { newMerchant } from '../test/support/service/surface'
import { STREAM, startMerchant } from './merchant'
import { networks } from './networks'
import { createPayer, keyOn } from './payer'
import { buyStream } from './stream'

const harness = fixture(() =>
  startHarness({ production: true, env: { KYT: 'off', CHANNEL_SECRETS: 'the-secret-of-the-channels-of-these-tests' } }),
)

test('the demo buys a hundred answers through one channel that the service keeps, and gets the rest of its deposit back', async () => {
  const { app, chain } = harness
  const { tenantId, key } = await newMerchant(app)
  const keys = await serveKeys(app)
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const facilitatorUrl = `${keys.url}/v1/${key}`
  const merchant = await startMerchant({ facilitatorUrl, payTo, network: networks[84532].id, channels: true })
  const payer = createPayer(keyOn(chain.client, generatePrivateKey()))
  await chain.mint(payer.address, 1_000_000n)
  const lines: string[] = []
  await buyStream(payer, `${merchant.url}${STREAM}`, (line) => lines.push(line))

  const paid = await chain.tokens(payTo)
  const [channel] = await app.db.channel.findMany({ where: { tenantId } })
  expect([channel?.charged.toFixed(), channel?.requests]).toEqual(['5540', 100n])
  expect(lines).toHaveLength(13)
  expect(lines[0]).toMatch(/^The first answer deposits 0\.01 USDC into a channel, in \d+ ms: 0x[0-9a-f]{64}$/)
  expect(lines[11]).toMatch(/^100 answers cost 0\.00554 USDC; half of the vouchers took \d+ ms or less\.$/)
  expect(await chain.tokens(payer.address)).toBe(1_000_000n - 5_540n)
  expect(paid).toBe(0n)
  expect(await app.db.channelUsage.findMany({ where: { tenantId } })).toMatchObject([{ requests: 100n }])
  await Promise.all([merchant.stop(), keys.stop()])
})
