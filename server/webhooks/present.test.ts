import { expect, test } from 'vitest'
import { creditAlert, failureAlerts, quotaAlerts } from './alerts'
import { exampleMessage } from './example'
import { testBody } from './messages'
import { saidIn } from './present'

const at = new Date('2026-11-21T12:00:00Z')
const owner = { ownerKind: 'oidc', ownerId: 'alice' }

test('a list says what each kind of message says', () => {
  expect(saidIn(exampleMessage().body)).toEqual({
    kind: 'payment',
    amount: '1000',
    token: { symbol: 'USDC', decimals: 6 },
    resource: 'https://merchant.example/weather',
    network: 'eip155:8453',
  })
  const use = { ...owner, subject: 'owner', tenantId: null, plan: 'free', settlementQuota: 1_000, used: 812, period: '2026-11' }
  expect(quotaAlerts(use, at).map(({ body }) => saidIn(body))).toEqual([{ kind: 'quota', share: 0.8 }])
  const failures = failureAlerts({ ...owner, total: 20, failed: 6, reason: 'invalid_exact_evm_payload_signature' }, at)
  expect(failures.map(({ body }) => saidIn(body))).toEqual([{ kind: 'failures', failed: 6, total: 20 }])
  const { body } = creditAlert({ ownerKind: 'wallet', ownerId: '0x1', environment: 'mainnet', purchased: 500, left: 9 }, at)
  expect(saidIn(body)).toEqual({ kind: 'credits', left: 9, bought: 500 })
})

test('a test, a payload that is not stored and one of another form say nothing', () => {
  expect([testBody('endpoint', at), null, '{"type":"payment.settled"}'].map(saidIn)).toEqual([null, null, null])
})
