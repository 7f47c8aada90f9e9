import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { moveTo, newClaimed, newHash } from '../../test/support/database/ledger'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { requirements, signed, v2Body } from '../../test/support/payloads/payments'
import { PLACE } from '../../test/support/payloads/proof'
import { inOneSecond } from '../../test/support/service/rate-window'
import { type Answer, type Endpoint, keyHolder, newClient, newMerchant } from '../../test/support/service/surface'

const { harness, withholdReceipts } = proxiedHarness({ production: true })

const NOT_YOURS = 'none of your settlements has this id or transaction; ask below the URL that settled it'

async function fresh(balance = 1_000n) {
  const payTo: Address = privateKeyToAccount(generatePrivateKey()).address
  const payer = await harness.payer(balance)
  return { payTo, payer: payer.address, body: v2Body(await signed(payer, { to: payTo }), { requirements: { payTo } }) }
}

const idOf = ({ headers }: Answer) => headers.get('x-settlement-id') ?? ''
const transactionOf = ({ body }: Answer) => String(Reflect.get(Object(body), 'transaction'))
const settlementOf = (payer: string) => harness.app.db.settlement.findFirstOrThrow({ where: { payer: payer.toLowerCase() } })
const asked = async (endpoint: Endpoint, name: string) => {
  const { status, body } = await endpoint.settlements(name)
  return [status, body]
}
const one = (settlement: object) => [200, { settlements: [expect.objectContaining(settlement)] }]

describe.each<[string, () => Promise<Endpoint>]>([
  ['/sandbox', async () => newClient(harness.app)],
  ['/v1', async () => (await newMerchant(harness.app)).v1],
])('GET %s/settlements/…', (_, newEndpoint) => {
  test('shows a success by its id and by its transaction in any letter case, with addresses in EIP-55', async () => {
    const { payTo, payer, body } = await fresh()
    const endpoint = await newEndpoint()
    const settled = await endpoint.settle(body)
    const [id, transaction] = [idOf(settled), transactionOf(settled)]
    const upper = transaction.toUpperCase().replace('0X', '0x')
    for (const name of [id, id.toUpperCase(), transaction, upper]) {
      const answer = await endpoint.settlements(name)
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          settlements: [
            {
              id,
              state: 'succeeded',
              reason: null,
              message: null,
              transaction,
              network: 'eip155:84532',
              payer,
              pay_to: payTo,
              amount: '1000',
              resource: 'http://merchant.test/weather',
              created_at: expect.stringMatching(/^\d{4}-.*Z$/),
              ...PLACE,
            },
          ],
        },
      ])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('shows a pending one, then its outcome', async () => {
    const { payer, body } = await fresh()
    const endpoint = await newEndpoint()
    withholdReceipts()
    const pending = await endpoint.settle(body)
    const transaction = transactionOf(pending)
    expect(transaction).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await asked(endpoint, idOf(pending))).toEqual(one({ state: 'pending', reason: null, transaction }))
    await moveTo(harness.app.db, (await settlementOf(payer)).id, 'REVERTED')
    await harness.app.db.settlement.updateMany({
      where: { id: idOf(pending) },
      data: { reason: 'invalid_exact_evm_transaction_failed' },
    })
    for (const name of [idOf(pending), transaction])
      expect(await asked(endpoint, name)).toEqual(
        // The newest transaction of its slot: bytes without a receipt get replaced.
        one({
          state: 'failed',
          reason: 'invalid_exact_evm_transaction_failed',
          transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        }),
      )
  })

  test('shows a failed judgement by its id, to its caller only', async () => {
    const { payTo, payer, body } = await fresh(0n)
    const endpoint = await newEndpoint()
    const judged = await endpoint.settle(body)
    expect(await asked(endpoint, idOf(judged))).toEqual(
      one({ id: idOf(judged), state: 'failed', reason: 'insufficient_funds', transaction: '', payer, pay_to: payTo }),
    )
    expect(await asked(newClient(harness.app), idOf(judged))).toEqual([404, { error: NOT_YOURS }])
    expect(await asked((await newMerchant(harness.app)).v1, idOf(judged))).toEqual([404, { error: NOT_YOURS }])
  })

  test('a payer who is not proven is not named', async () => {
    const endpoint = await newEndpoint()
    const forged = v2Body({ ...(await signed(await harness.payer())), signature: `0x${'ab'.repeat(65)}` })
    const judged = await endpoint.settle(forged)
    expect(await asked(endpoint, idOf(judged))).toEqual(one({ state: 'failed', payer: '' }))
  })

  test('is 404 for other callers and unknown names, 400 for invalid names', async () => {
    const { body } = await fresh()
    const endpoint = await newEndpoint()
    const settled = await endpoint.settle(body)
    const unknownPayers = [newClient(harness.app), (await newMerchant(harness.app)).v1, (await newMerchant(harness.app)).flash]
    for (const other of unknownPayers)
      for (const name of [idOf(settled), transactionOf(settled)])
        expect(await asked(other, name)).toEqual([404, { error: NOT_YOURS }])
    for (const name of [randomUUID(), newHash(), '5'.repeat(64), '5'.repeat(79), '5'.repeat(88)])
      expect(await asked(await newEndpoint(), name)).toEqual([404, { error: NOT_YOURS }])
    for (const name of [
      '',
      'x',
      '0x12',
      // With a 0, which base58 has not: else it could be a signature of Solana.
      `0${newHash().slice(3)}`,
      `${newHash()}0`,
      '5'.repeat(63),
      '5'.repeat(89),
      "' OR 1=1 --",
      'é\u0000',
      randomUUID().replaceAll('-', ''),
    ])
      expect(await asked(await newEndpoint(), name)).toEqual([
        400,
        { error: 'a settlement is named by its x-settlement-id (a UUID) or by its transaction hash' },
      ])
  })
})

describe('a caller', () => {
  test('sees a rejected claim as failed: nothing was signed', async () => {
    const caller = newClient(harness.app)
    const claim = await newClaimed(harness.app.db, { caller: caller.subject })
    expect(await asked(caller, claim.id)).toEqual(one({ state: 'pending', transaction: '' }))
    await moveTo(harness.app.db, claim.id, 'REJECTED')
    expect(await asked(caller, claim.id)).toEqual(one({ state: 'failed', reason: null, transaction: '' }))
  })

  test('finds a settlement by the hash of an earlier attempt, and gets the current one', async () => {
    const { payer, body } = await fresh()
    const caller = newClient(harness.app)
    const settled = await caller.settle(body)
    const earlier = newHash()
    const { slotId } = await settlementOf(payer)
    if (!slotId) throw new Error('no slot')
    await harness.app.db.attempt.create({
      data: { hash: earlier, slotId, raw: '0x02', gas: 1n, maxFeePerGas: 1n, tipPerGas: 1n },
    })
    expect(await asked(caller, earlier)).toEqual(
      one({ id: idOf(settled), state: 'succeeded', transaction: transactionOf(settled) }),
    )
  })

  test('sees below /flash what the tenant settled below /v1, and with another key of the tenant', async () => {
    const merchant = await newMerchant(harness.app)
    const settled = await merchant.v1.settle((await fresh()).body)
    expect(await asked(merchant.flash, idOf(settled))).toEqual(one({ id: idOf(settled) }))
  })

  test('with an unknown key is 401', async () => {
    for (const key of ['', 'qt_x', `qt_${'A'.repeat(43)}`]) {
      const { v1, flash } = keyHolder(harness.app, key)
      expect([(await asked(v1, newHash()))[0], (await asked(flash, newHash()))[0]]).toEqual([401, 401])
    }
  })

  test('may ask fifty times a second, in a bucket of its own', async () => {
    const caller = newClient(harness.app)
    const statuses = await inOneSecond(async () => {
      const answers = await Promise.all(Array.from({ length: 51 }, () => caller.settlements(newHash())))
      return answers.map(({ status }) => status).toSorted()
    })
    expect(statuses).toEqual([...Array(50).fill(404), 429])
    expect((await caller.settle({ paymentRequirements: requirements() })).status).toBe(400)
  })
})
