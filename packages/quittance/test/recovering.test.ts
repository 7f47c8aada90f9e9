import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { expect, test } from 'vitest'
import { RecoveringFacilitatorClient } from '../src/recovering'
import { memoryStore } from '../src/stores/memory'
import { fits } from '../src/terms'
import { termCases } from './shared-cases'

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

test.each(termCases().cases)(
  'a settlement is compared with what is asked: %s',
  (_, payload, requirements, settlement, expected) => {
    const asked = { payload: payload as PaymentPayload, requirements: requirements as PaymentRequirements }
    expect(fits(settlement, asked.payload, asked.requirements)).toBe(expected)
  },
)

test('verify only peeks at the settlement: the facilitator guards on until settle takes the answer', async () => {
  const { terms, signed, settlement } = termCases()
  const asked: string[] = []
  const facilitator = createServer(async (request, response) => {
    asked.push(request.url ?? '')
    await text(request)
    response.end(JSON.stringify({ settlements: [{ ...settlement, created_at: new Date().toISOString() }] }))
  })
  await new Promise<void>((resolve) => facilitator.listen(0, '127.0.0.1', resolve))
  const { port } = facilitator.address() as AddressInfo
  const inner = {
    url: `http://127.0.0.1:${port}`,
    verify: async () => ({ isValid: false, invalidReason: 'duplicate_settlement' }),
    settle: async () =>
      ({ success: false, errorReason: 'duplicate_settlement', transaction: '', network: 'eip155:84532' }) as const,
    getSupported: () => Promise.reject(new Error('it was asked')),
  }
  const client = new RecoveringFacilitatorClient(inner, { store: memoryStore(() => 0), answerWithinMs: 0 })
  const requirements: PaymentRequirements = { ...terms, network: 'eip155:84532' }
  const payload: PaymentPayload = { x402Version: 2, accepted: requirements, payload: signed }
  expect(await client.verify(payload, requirements)).toMatchObject({ isValid: true })
  expect(await client.settle(payload, requirements)).toMatchObject({ success: true })
  expect(asked).toEqual(['/settlements/lookup?peek=true', '/settlements/lookup'])
  expect(await client.verify(payload, requirements)).toMatchObject({ isValid: false })
  facilitator.close()
})
