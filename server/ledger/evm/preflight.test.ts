import { expect, test } from 'vitest'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { fitting } from './preflight'
import type { Queued } from './queue'

const [PAYER, PAYEE, ASSET] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`] as const
const moved = { from: PAYER, to: PAYEE, value: 1_000n, validAfter: 0n }

let made = 0

const item = (transfer: SignedTransfer): Queued => ({
  settlementId: `${transfer.method} ${++made}`,
  party: 'one',
  tier: 'standard',
  asset: transfer.asset,
  claimedAt: 0n,
  expiresAt: 1n,
  baseFee: 1n,
  judgedAt: 0,
  until: 1,
  alone: false,
  transfer,
})

const nonce = () => `0x${(++made).toString(16).padStart(64, '0')}` as const
const byToken = () =>
  item({
    method: 'eip3009',
    asset: ASSET,
    signature: '0x',
    proof: 'key',
    authorization: { ...moved, validBefore: 1n, nonce: nonce() },
  })
const byPermit2 = (change: { value?: bigint } = {}) =>
  item({
    method: 'permit2',
    asset: ASSET,
    signature: '0x',
    proof: 'key',
    permit: null,
    approval: null,
    authorization: { ...moved, token: ASSET, spender: PAYEE, nonce: BigInt(nonce()), deadline: 1n, ...change },
  })

/** How many of these may share a transaction. */
const sharing = (...items: Queued[]) => fitting('eip155:84532', items).fit.length

test('two equal transfers share a transaction only when the logs of both name their authorizations', () => {
  expect(sharing(byToken(), byToken())).toBe(2)
  expect(sharing(byPermit2(), byPermit2())).toBe(1)
  expect(sharing(byToken(), byPermit2())).toBe(1)
  expect(sharing(byPermit2(), byToken())).toBe(1)
  expect(sharing(byToken(), byToken(), byPermit2(), byPermit2({ value: 2_000n }))).toBe(3)
})

/** A claim of rows of channels whose payers' code decides. */
const claimOf = (rows: number) =>
  item({
    method: 'batch-claim',
    asset: ASSET,
    signature: '0x',
    proof: 'key',
    signedHere: true,
    gain: 1n,
    ids: [],
    authorization: moved,
    rows: Array.from({ length: rows }, () => ({
      channel: {
        payer: PAYER,
        payerAuthorizer: `0x${'0'.repeat(40)}`,
        receiver: PAYEE,
        receiverAuthorizer: PAYEE,
        token: ASSET,
        withdrawDelay: 900,
        salt: nonce(),
      },
      voucher: { maxClaimable: 1n, signature: '0x' },
      totalClaimed: 1n,
    })),
  })

test('what takes more gas than one transaction may is never in one', () => {
  const [small, large] = [claimOf(10), claimOf(60)]
  expect(fitting('eip155:84532', [large])).toEqual({ fit: [], rest: [], never: [large] })
  expect(fitting('eip155:84532', [large, small])).toEqual({ fit: [small], rest: [], never: [large] })
})

test('what may not share a transaction is left in its order', () => {
  const items = [byPermit2(), byPermit2(), byToken()]
  expect(fitting('eip155:84532', items)).toEqual({ fit: items.slice(0, 1), rest: items.slice(1), never: [] })
})
