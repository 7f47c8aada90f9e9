import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { newPermit2Payer } from '../support/permit2/permit2'
import { newAddress } from '../support/service/purchases'
import { wallet } from './official-clients'
import { officialFlows } from './official-flows'

// `npm run test:long -- python` installs the package x402 into this environment.
const PYTHON = path.join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'quittance', 'python', 'bin', 'python')
const PROGRAM = path.join(import.meta.dirname, 'python', 'pay.py')
const PRICE = 1_000n

const { chain, facilitator, withhold, calmAfterSettle, settles, receiptIn } = officialFlows()

const buy = async (flow: string, payer?: Hex) => {
  const [key, payTo] = [payer ?? (await wallet(chain())), newAddress()]
  const { stdout } = await promisify(execFile)(PYTHON, [PROGRAM, facilitator().url, key, payTo, flow])
  return { payTo, ...JSON.parse(stdout) }
}

describe.each(['authorization', 'upfront'])('official Python servers and clients of the flow %s', (flow) => {
  test('sell, and hand the buyer the amount, the log and the signed receipt', async () => {
    const { payTo, status, body, receipt } = await buy(flow)
    expect([status, body, await chain().tokens(payTo)]).toEqual([200, { weather: 'sunny' }, PRICE])
    const { transaction, amount, extra, extensions } = receipt
    expect(await receiptIn(extensions)).toMatchObject({ transaction, amount, pay_to: payTo, log_index: extra.logIndex })
  })

  test('are paid once and serve once when the node answers late', async () => {
    withhold()
    calmAfterSettle()
    const { payTo, status } = await buy(flow)
    expect(status).toBe(200)
    expect(settles()).toHaveLength(2)
    expect(await chain().tokens(payTo)).toBe(PRICE)
  })
})

test('official Python servers and clients charge a part of a maximum, and the receipt has both', async () => {
  const key = generatePrivateKey()
  await newPermit2Payer(chain(), 1_000_000n, privateKeyToAccount(key))
  const { payTo, status, body, receipt } = await buy('upto', key)
  expect([status, body, await chain().tokens(payTo)]).toEqual([200, { weather: 'sunny' }, 700n])
  const { transaction, amount, extensions } = receipt
  expect(await receiptIn(extensions)).toMatchObject({ transaction, amount, pay_to: payTo, maximum: String(PRICE) })
})

test('official Python servers and clients buy ten answers through one channel, which is claimed and paid out', async () => {
  const { payTo, status, body, claims, paid } = await buy('batch-settlement')
  expect([status, body, claims]).toEqual([200, { weather: 'sunny' }, [1]])
  expect(paid).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await chain().tokens(payTo)).toBe(PRICE + 9n * 10n)
  // Plain vouchers need no call here: the deposit, the claim and the payment are settled.
  expect(settles()).toHaveLength(3)
})
