import { recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { readPurchase } from '@/server/agents/purchase-payment'
import { fixture } from '../../../test/support/fixture'
import { agentsOf, SERVICE_PAY_TO, sells } from '../../../test/support/service/agents'
import { type Harness, startHarness } from '../../../test/support/service/harness'
import { isSvmTerms, paymentHeader, readRequired } from './terms'
import { transferFor, transferPayload } from './transfer'

const harness = fixture(() => startHarness({ production: true, env: sells }))
let agents: ReturnType<typeof agentsOf>
beforeAll(() => {
  agents = agentsOf(harness.app)
})

/** The browser's steps from offer to purchase. */
async function signedHeader(credits: number, payer: Awaited<ReturnType<Harness['payer']>>) {
  const offer = await agents.offer(`?credits=${credits}`)
  const { resource, accepts } = readRequired(offer.headers.get('payment-required') ?? '')
  const [terms] = accepts
  if (!terms || isSvmTerms(terms)) throw new Error('no EVM offer')
  const transfer = transferFor(terms, payer.address)
  const signature = await payer.signTypedData(transfer)
  return paymentHeader(resource, terms, transferPayload(transfer, signature))
}

describe('the EVM payment for credits', () => {
  test('reads on the server as the wallet signed it', async () => {
    const payer = await harness.payer()
    const payment = readPurchase(harness.app, { name: 'PAYMENT-SIGNATURE', value: await signedHeader(250, payer) })
    expect(payment).toMatchObject({ network: 'eip155:84532', amount: 250_000n, payTo: SERVICE_PAY_TO.toLowerCase() })
  })

  test('buys credits', async () => {
    const payer = await harness.payer()
    const answer = await agents.buy({ 'payment-signature': await signedHeader(300, payer) })
    expect(answer).toMatchObject({ status: 200, body: { status: 'paid', credits_added: 300, wallet: payer.address } })
  })
})

const terms = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '100000',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  payTo: SERVICE_PAY_TO,
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2' },
} as const

test('a transfer is valid from ten minutes ago until the timeout, on the chain of the terms, with a new nonce', async () => {
  const payer = privateKeyToAccount(`0x${'1'.repeat(64)}`)
  const now = new Date('2026-11-21T12:00:00Z')
  const transfer = transferFor(terms, payer.address, { now })
  const at = BigInt(now.getTime() / 1_000)
  expect(transfer.message).toMatchObject({ value: 100_000n, validAfter: at - 600n, validBefore: at + 300n })
  expect(transfer.domain.chainId).toBe(84_532)
  expect(transferFor(terms, payer.address, { now }).message.nonce).not.toBe(transfer.message.nonce)
  expect(await recoverTypedDataAddress({ ...transfer, signature: await payer.signTypedData(transfer) })).toBe(payer.address)
})
