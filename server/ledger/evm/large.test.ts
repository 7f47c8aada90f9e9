import { expect, test } from 'vitest'
import { mainAsset } from '../../x402/networks/networks'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { readTransfer, writeTransfer } from '../../x402/schemes/evm-methods'
import { isLarge } from './large'

const NETWORK = 'eip155:84532'
const { address: asset } = mainAsset(NETWORK)
const party = `0x${'1'.repeat(40)}` as const
const common = { asset, signature: '0x', proof: 'key', authorization: { from: party, to: party, value: 0n } } as const
const channel = {
  payer: party,
  payerAuthorizer: party,
  receiver: party,
  receiverAuthorizer: party,
  token: asset,
  withdrawDelay: 900,
  salt: `0x${'0'.repeat(64)}`,
} as const

const acts = (amount: bigint): SignedTransfer[] => [
  { ...common, method: 'batch-claim', signedHere: true, gain: amount, ids: [], rows: [] },
  { ...common, method: 'batch-sweep', claimed: 10n ** 12n, gain: amount },
  {
    ...common,
    method: 'batch-refund',
    signedHere: true,
    channel,
    channelId: `0x${'2'.repeat(64)}`,
    amount,
    nonce: 0n,
    claims: null,
  },
]

test('an act of channels is as large as what it moves or claims, although its own authorization moves nothing', () => {
  for (const one of acts(100_000_000n)) expect(isLarge(NETWORK, one, '100')).toBe(true)
  for (const one of acts(99_999_999n)) expect(isLarge(NETWORK, one, '100')).toBe(false)
})

test('the ledger keeps what it needs to know that', () => {
  for (const one of acts(100_000_000n))
    expect(isLarge(NETWORK, readTransfer(JSON.parse(JSON.stringify(writeTransfer(one))), asset), '100')).toBe(true)
})
