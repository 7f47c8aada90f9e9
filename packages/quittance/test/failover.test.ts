import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { expect, test } from 'vitest'
import { FailoverFacilitatorClient } from '../src/failover'
import { memoryStore } from '../src/stores/memory'

test('a payment that the guard against second charges refused is not sent again, and not to another facilitator', async () => {
  const asked: string[] = []
  const never = () => Promise.reject(new Error('it was asked'))
  const facilitator = (url: string) => ({
    url,
    verify: never,
    getSupported: never,
    async settle(): Promise<SettleResponse> {
      asked.push(url)
      return { success: false, errorReason: 'second_charge', transaction: '', network: 'eip155:84532' }
    },
  })
  const client = new FailoverFacilitatorClient([facilitator('https://one.example'), facilitator('https://two.example')], {
    store: memoryStore(),
    authorizations: async () => ({ state: 'unused' }),
  })
  const requirements: PaymentRequirements = {
    scheme: 'exact',
    network: 'eip155:84532',
    amount: '1000',
    asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
    payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
    maxTimeoutSeconds: 60,
    extra: {},
  }
  const authorization = { from: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', nonce: `0x${'0a'.repeat(32)}` }
  const payload: PaymentPayload = { x402Version: 2, accepted: requirements, payload: { authorization, signature: '0x01' } }
  expect(await client.settle(payload, requirements)).toMatchObject({ success: false, errorReason: 'second_charge' })
  expect(asked).toEqual(['https://one.example'])
})
