import { expect, test } from 'vitest'
import { parsePayment } from '../../parse'
import { asCharged, isEvmPayment } from '../../payment'
import { brokenForm, methodOf, whyUnserved } from '../evm-methods'
import { UPTO_PROXY } from '../permit2/contracts'

const payer = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const facilitator = '0x1563915e194D8CfBA1943570603F7606A3115508'
const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const payTo = '0x000000000000000000000000000000000000dEaD'

const requirements = {
  scheme: 'upto',
  network: 'eip155:84532',
  amount: '100000',
  asset,
  payTo,
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2', assetTransferMethod: 'permit2', facilitatorAddress: facilitator },
}

type Change = { accepted?: object; requirements?: object; authorization?: object; witness?: object }

function paymentOf({ accepted, authorization, witness, ...change }: Change = {}) {
  const asked = { ...requirements, ...change.requirements }
  return parsePayment({
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      payload: {
        signature: `0x${'11'.repeat(65)}`,
        permit2Authorization: {
          from: payer,
          permitted: { token: asset, amount: '100000' },
          spender: UPTO_PROXY,
          nonce: '1',
          deadline: '1795696906',
          witness: { to: payTo, facilitator, validAfter: '0', ...witness },
          ...authorization,
        },
      },
      accepted: { ...asked, ...accepted },
    },
    paymentRequirements: asked,
  })
}

function verdictOf(change: Change, at = 1_795_696_000n): string | undefined {
  const payment = paymentOf(change)
  const clock = { earliest: at, latest: at }
  return (isEvmPayment(payment) ? brokenForm(payment, clock) : whyUnserved(payment))?.reason
}

test('the hash that payers sign is that of the official packages', () => {
  const payment = paymentOf()
  if (!isEvmPayment(payment)) throw new Error('not a payment')
  expect(methodOf(payment).digest(payment)).toBe('0x9181b250f29da2b91525b76fe1041645184ea0074cd12e60f2b516a2b8fd80ab')
})

test.each<[string, Change, string | undefined]>([
  ['good', {}, undefined],
  ['without a facilitator', { witness: { facilitator: undefined } }, 'unsupported_payload_type'],
  ['accepted in another scheme', { accepted: { scheme: 'exact' } }, 'invalid_upto_evm_scheme'],
  ['accepted on another network', { accepted: { network: 'eip155:8453' } }, 'invalid_upto_evm_network_mismatch'],
  ['for another spender', { authorization: { spender: payTo } }, 'invalid_permit2_spender'],
  ['to another payee', { witness: { to: payer } }, 'invalid_permit2_recipient_mismatch'],
  ['over', { authorization: { deadline: '1795695999' } }, 'permit2_deadline_expired'],
  ['not valid yet', { witness: { validAfter: '1795696001' } }, 'permit2_not_yet_valid'],
  ['of less', { authorization: { permitted: { token: asset, amount: '99999' } } }, 'permit2_amount_mismatch'],
  ['of another token', { authorization: { permitted: { token: payTo, amount: '100000' } } }, 'permit2_token_mismatch'],
  // The first of two faults in the official order.
  ['for another spender and over', { authorization: { spender: payTo, deadline: '1' } }, 'invalid_permit2_spender'],
  [
    'over and of less',
    { authorization: { deadline: '1', permitted: { token: asset, amount: '1' } } },
    'permit2_deadline_expired',
  ],
])('a payment %s is judged in the official order', (_, change, reason) => {
  expect(verdictOf(change)).toBe(reason)
})

test('settle judges the maximum that was signed, and moves the charge', () => {
  const charged = asCharged(paymentOf({ requirements: { amount: '700' } }))
  expect([charged.amount, charged.charge]).toEqual([100_000n, 700n])
  if (!isEvmPayment(charged)) throw new Error('not a payment')
  const transfer = methodOf(charged).transfer(charged, { proof: 'key', signature: '0x11' })
  expect(transfer.authorization).toMatchObject({ value: 700n, maximum: 100_000n })
  const stored = JSON.parse(JSON.stringify(methodOf(charged).store(transfer)))
  expect(methodOf(charged).stored.parse({ ...stored, asset: transfer.asset })).toEqual(transfer)
})

test('a charge above the maximum never becomes a transfer of more than was signed', () => {
  const charged = asCharged(paymentOf({ requirements: { amount: '100001' } }))
  if (!isEvmPayment(charged)) throw new Error('not a payment')
  const method = methodOf(charged)
  expect(method.transfer(charged, { proof: 'key', signature: '0x11' }).authorization.value).toBe(100_000n)
  const state = {
    block: 1n,
    blockTime: 1n,
    assetHasCode: true,
    used: false,
    balance: 10n ** 9n,
    allowance: 10n ** 9n,
    hasProxy: true,
    simulation: { ok: true },
  } as const
  expect(method.stateRules.filter((rule) => rule.broken(charged, state)).map(({ reason }) => reason)).toEqual([
    'invalid_upto_evm_payload_settlement_exceeds_amount',
  ])
})
