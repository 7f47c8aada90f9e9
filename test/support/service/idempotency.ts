import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { proxiedHarness } from '../nodes/proxied-harness'
import { signed, v2Body } from '../payloads/payments'
import { type Answer, newMerchant } from './surface'

export const newKey = () => randomUUID()
/** The header of a request under a key. */
export const under = (key: string) => ({ headers: { 'idempotency-key': key } })
export const said = ({ status, body }: Answer) => [status, Reflect.get(Object(body), 'errorReason')]
export const succeeded = ({ body }: Answer) => Reflect.get(Object(body), 'success') === true

/** A service for the tests of a file, and what they read of it. */
export function idempotencyHarness() {
  const { harness, node, withholdReceipts, release } = proxiedHarness({ production: true })
  return {
    harness,
    node,
    /** A payment to a new recipient by a payer who has this much. */
    async fresh(balance = 1_000n) {
      const payTo: Address = privateKeyToAccount(generatePrivateKey()).address
      const payer = await harness.payer(balance)
      const body = v2Body(await signed(payer, { to: payTo }), { requirements: { payTo } })
      return { payTo, payer: payer.address.toLowerCase(), body }
    },
    merchant: (settings = {}) => newMerchant(harness.app, { rps: 1_000, ...settings }),
    /** The row of a key. */
    rowOf: (key: string) => harness.app.db.idempotency.findFirst({ where: { key } }),
    usedBy: async (subject: string) =>
      (await harness.app.db.usage.findFirst({ where: { subject, meter: 'settlement' } }))?.used ?? 0,
    withholdReceipts,
    release,
  }
}
