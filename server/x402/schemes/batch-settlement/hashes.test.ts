import { toHex } from 'viem'
import { expect, test } from 'vitest'
import type { ChannelConfig } from './channel'
import { channelIdOf, claimsHash, depositNonce, refundHash, voucherHash } from './hashes'

const config: ChannelConfig = {
  payer: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
  payerAuthorizer: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
  receiver: '0x000000000000000000000000000000000000dead',
  receiverAuthorizer: '0x5cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb',
  token: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  withdrawDelay: 900,
  salt: toHex(0, { size: 32 }),
}
const id = '0xcfcc7722ef96c28e2ac7397bd8a6e8a135b6df774a5f73aa065064c4b4665c9f'
const on = 'eip155:84532'

test('the id of a channel is that of the official packages, and another one on another chain', () => {
  expect(channelIdOf(on, config)).toBe(id)
  expect(channelIdOf('eip155:8453', config)).toBe('0x39a22211b186655ed760029f0863956282a444377962a2828c39ef00835b0e5f')
})

test('the hashes that are signed are those of the official packages', () => {
  expect(voucherHash(on, id, 1_000n)).toBe('0xe4a021cf4c58a7db3c5398105279b325d54ee2806a3ca6670af75f0539444e6b')
  expect(refundHash(on, { channelId: id, nonce: 0n, amount: 8_750n })).toBe(
    '0x117b762126fcc0e6f76881469f0edfd521df3dda4c0f156659e68c8b6140ecea',
  )
  const rows = [{ channel: config, voucher: { maxClaimable: 1_950n, signature: '0x' as const }, totalClaimed: 950n }]
  expect(claimsHash(on, rows)).toBe('0x30d020e5820cb5822a8807d63272a9c0c204aa1efdd85e9abd4ad799eed344db')
  const salt = 0x43c8ee5db7cbabc419a359ebf1186c333136b07b8d2300a9b6035d266f4f90e8n
  expect(depositNonce(id, salt)).toBe('0x10e46409e52301a3dec8afdd664279732f34214738cefbef03364e333e7b07e2')
})
