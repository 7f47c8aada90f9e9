import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { expect, test } from 'vitest'
import { RecoveringFacilitatorClient } from '../src/recovering'
import { memoryStore } from '../src/stores/memory'

test('the store is made before the first payment is settled, and a payment without a store is not settled', async () => {
  const calls: string[] = []
  let broken = true
  const store = {
    ...memoryStore(),
    async since() {
      calls.push('since')
      if (broken) throw new Error('no database')
      return Date.now()
    },
  }
  const never = () => Promise.reject(new Error('it was asked'))
  const inner = {
    url: 'https://pay.example/sandbox',
    verify: never,
    getSupported: never,
    async settle() {
      calls.push('settle')
      return { success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:84532' } as const
    },
  }
  const client = new RecoveringFacilitatorClient(inner, { store })
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
  const payload: PaymentPayload = { x402Version: 2, accepted: requirements, payload: { authorization } }
  await expect(client.settle(payload, requirements)).rejects.toThrow('no database')
  broken = false
  await client.settle(payload, requirements)
  await client.settle(payload, requirements)
  expect(calls).toEqual(['since', 'since', 'settle', 'settle'])
})
