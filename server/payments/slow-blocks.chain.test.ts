import { afterAll, expect, test } from 'vitest'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { createPermit2Forge } from '../../test/support/permit2/permit2'
import { type Answer, post } from '../../test/support/service/client'
import { resetNetworks } from '../x402/networks/networks'
import { supported } from './supported'

// Test files share a process. Registered first, so it runs last.
afterAll(resetNetworks)

// The row says so; the local chain is quicker.
const { harness, node } = proxiedHarness({ env: { EVM_NETWORKS: '[{"chainId":84532,"blockSeconds":12}]' } })

const inSeconds = async (seconds: bigint) => (await harness.chain.client.getBlock()).timestamp + seconds
const reasonOf = ({ body }: Answer) => body.invalidReason ?? body.errorReason

test('with blocks every 12 s, a payment that is valid for 8 s is refused and nothing is sent; one of 60 s is settled', async () => {
  const expired = 'invalid_exact_evm_payload_authorization_valid_before'
  const short = await signed(await harness.payer(), { validBefore: await inSeconds(8n) })
  expect(reasonOf(await post(harness.app, 'verify', v2Body(short)))).toBe(expired)
  expect(reasonOf(await post(harness.app, 'settle', v2Body(short)))).toBe(expired)
  expect(node.seen).not.toContain('eth_sendRawTransaction')
  const long = await signed(await harness.payer(), { validBefore: await inSeconds(60n) })
  expect((await post(harness.app, 'settle', v2Body(long))).body).toMatchObject({ success: true })
})

test('by Permit2 too', async () => {
  const signed = { deadline: await inSeconds(8n) }
  const { body } = await createPermit2Forge(harness.chain).paying({ token: harness.chain.usdc, signed })
  expect(reasonOf(await post(harness.app, 'verify', body))).toBe('permit2_deadline_expired')
})

test('/supported says how long a payment must stay valid', async () => {
  const kinds = (await supported(harness.app)).kinds.filter(({ x402Version }) => x402Version === 2)
  const kind = { network: 'eip155:84532', extra: { expiryMarginSeconds: 26 } }
  expect(kinds).toMatchObject([
    { ...kind, scheme: 'exact' },
    { ...kind, scheme: 'upto' },
    { ...kind, scheme: 'batch-settlement' },
  ])
})
