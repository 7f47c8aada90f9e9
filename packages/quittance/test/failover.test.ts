import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { expect, test } from 'vitest'
import type { AuthorizationState } from '../src/evm-authorizations'
import { FailoverFacilitatorClient } from '../src/failover'
import { memoryStore } from '../src/stores/memory'

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
const never = () => Promise.reject(new Error('it was asked'))

test('a payment that the guard against second charges refused is not sent again, and not to another facilitator', async () => {
  const asked: string[] = []
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
  expect(await client.settle(payload, requirements)).toMatchObject({ success: false, errorReason: 'second_charge' })
  expect(asked).toEqual(['https://one.example'])
})

test('a payment that the chain shows as used, not yet for what, is waited for: it is neither refused nor sent again', async () => {
  let asked = 0
  const facilitator = {
    url: 'https://one.example',
    verify: never,
    getSupported: never,
    async settle(): Promise<SettleResponse> {
      asked++
      // It sends the payment, and its answer is lost.
      throw new Error('the connection broke')
    },
  }
  const { from: payer } = authorization
  const states: AuthorizationState[] = [{ state: 'unused' }, { state: 'unused' }, { state: 'used' }, { state: 'used' }]
  const client = new FailoverFacilitatorClient([facilitator], {
    store: memoryStore(),
    authorizations: async () => states.shift() ?? { state: 'paid', transaction: '0x01', payer },
  })
  expect(await client.settle(payload, requirements)).toMatchObject({ success: true, transaction: '0x01', payer })
  expect(asked).toBe(1)
})

test('a used payment that this merchant did not send is refused at once; of one that it sent, verify says valid', async () => {
  const facilitator = {
    url: 'https://one.example',
    verify: never,
    getSupported: never,
    settle: () => Promise.reject(new Error('the connection broke')),
  }
  let state: AuthorizationState = { state: 'used' }
  const client = new FailoverFacilitatorClient([facilitator], {
    store: memoryStore(),
    authorizations: async () => state,
    waitMs: 100,
  })
  expect(await client.settle(payload, requirements)).toMatchObject({ errorReason: 'duplicate_settlement' })
  state = { state: 'unused' }
  expect(await client.settle(payload, requirements)).toMatchObject({ errorReason: 'settlement_pending' })
  state = { state: 'used' }
  expect(await client.verify(payload, requirements)).toEqual({ isValid: true, payer: authorization.from })
})

test('a payment that was settled while the chain could not be read is served once', async () => {
  let answers = false
  const facilitator = {
    url: 'https://one.example',
    verify: never,
    getSupported: never,
    async settle(): Promise<SettleResponse> {
      if (!answers) throw new Error('the connection broke')
      return { success: true, transaction: '0x01', network: 'eip155:84532' }
    },
  }
  let state: AuthorizationState = { state: 'unused' }
  const client = new FailoverFacilitatorClient([facilitator], {
    store: memoryStore(),
    authorizations: async () => (answers && state.state === 'unused' ? Promise.reject(new Error('no node answers')) : state),
    waitMs: 100,
  })
  expect(await client.settle(payload, requirements)).toMatchObject({ errorReason: 'settlement_pending' })
  answers = true
  expect(await client.settle(payload, requirements)).toMatchObject({ success: true })
  state = { state: 'paid', transaction: '0x01', payer: authorization.from }
  expect(await client.settle(payload, requirements)).toMatchObject({ success: false, errorReason: 'duplicate_settlement' })
})
