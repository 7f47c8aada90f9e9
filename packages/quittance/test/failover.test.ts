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

test('a refusal by a facilitator that may have sent the payment does not lose it: the chain gives the answer, and no other is asked', async () => {
  const refused: SettleResponse = { success: false, errorReason: 'transaction_failed', transaction: '', network: 'eip155:84532' }
  const { client, asked, chain } = twoFacilitators(async () => refused)
  expect(await client.settle(payload, requirements)).toMatchObject({ errorReason: 'transaction_failed' })
  expect(await client.settle(payload, requirements)).toMatchObject({ errorReason: 'transaction_failed' })
  chain.state = { state: 'paid', transaction: '0x01', payer: authorization.from }
  expect(await client.settle(payload, requirements)).toMatchObject({ success: true, transaction: '0x01' })
  expect(asked).toEqual(['https://one.example', 'https://one.example'])
})

test('an answer that was lost while no node answered comes from the chain later', async () => {
  const { client, asked, chain } = twoFacilitators(() => Promise.reject(new Error('the connection broke')))
  chain.state = null
  expect(await client.settle(payload, requirements)).toMatchObject({ errorReason: 'settlement_pending' })
  chain.state = { state: 'paid', transaction: '0x01', payer: authorization.from }
  expect(await client.settle(payload, requirements)).toMatchObject({ success: true, transaction: '0x01' })
  expect(new Set(asked)).toEqual(new Set(['https://one.example']))
})

test('a request does not go to the second facilitator while another one with the same payment is at the first', async () => {
  const answers = [unavailable(), new Promise<SettleResponse>(() => {})]
  const { client, asked, chain } = twoFacilitators(() => answers.shift() ?? Promise.reject(new Error('the connection broke')))
  // While the first request reads the chain before the second facilitator, another request takes the payment to the first one.
  chain.reads = (count) => {
    if (count === 3) void client.settle(payload, requirements)
    return count === 3 ? new Promise((resolve) => setTimeout(resolve, 50)) : undefined
  }
  expect(await client.settle(payload, requirements)).toMatchObject({ errorReason: 'settlement_pending' })
  expect(new Set(asked)).toEqual(new Set(['https://one.example']))
})

test('a payment that waits at a facilitator for longer than an answer can be recovered is not sent to another one', async () => {
  const { client, asked } = twoFacilitators(() => Promise.reject(new Error('the connection broke')), { recoverWithinMs: 0 })
  expect(await client.settle(payload, requirements)).toMatchObject({ errorReason: 'settlement_pending' })
  expect(await client.settle(payload, requirements)).toMatchObject({ errorReason: 'settlement_pending' })
  expect(new Set(asked)).toEqual(new Set(['https://one.example']))
})

test('the same signature in other letters is the same payment', async () => {
  const { client, chain } = twoFacilitators(() => Promise.reject(new Error('the connection broke')))
  const signed = (signature: string) => ({ ...payload, payload: { authorization, signature } })
  expect(await client.settle(signed('0xab'), requirements)).toMatchObject({ errorReason: 'settlement_pending' })
  chain.state = { state: 'paid', transaction: '0x01', payer: authorization.from }
  expect(await client.settle(signed('0xAB'), requirements)).toMatchObject({ success: true })
})

const unavailable = () =>
  Promise.reject(Object.assign(new Error('Facilitator settle failed'), { errorReason: 'facilitator_unavailable' }))

/** A client with a facilitator that settles so, one that works, and a chain that says what its test sets: with null no node answers. */
function twoFacilitators(settle: () => Promise<SettleResponse>, options: { recoverWithinMs?: number } = {}) {
  const asked: string[] = []
  const works = async (): Promise<SettleResponse> => ({ success: true, transaction: '0x02', network: 'eip155:84532' })
  const facilitator = (url: string, answer: () => Promise<SettleResponse>) => ({
    url,
    verify: never,
    getSupported: never,
    settle() {
      asked.push(url)
      return answer()
    },
  })
  const chain: { state: AuthorizationState | null; reads?: (count: number) => Promise<void> | undefined } = {
    state: { state: 'unused' },
  }
  let count = 0
  const client = new FailoverFacilitatorClient(
    [facilitator('https://one.example', settle), facilitator('https://two.example', works)],
    {
      store: memoryStore(),
      waitMs: 100,
      answerWithinMs: 0,
      ...options,
      async authorizations() {
        count += 1
        await chain.reads?.(count)
        if (chain.state === null) throw new Error('no node answers')
        return chain.state
      },
    },
  )
  return { client, asked, chain }
}
