import { expect, test } from 'vitest'
import { isLimited } from './own-key'
import { networksFor } from './use-signed-wallet'

const NONE = { allowedNetworks: [], payToAllow: [], maxUsdc: null }
const EVM = '0x857b06519E91e3A54538791bDbb0E22373e36b66'
const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

test.each([EVM, SOLANA])('a key of the wallet %s is limited only by what was chosen for it', (wallet) => {
  const usual = { ...NONE, payToAllow: [wallet], allowedNetworks: [...networksFor(wallet)] }
  expect(isLimited(usual, wallet)).toBe(false)
  expect(isLimited({ ...usual, allowedNetworks: usual.allowedNetworks.slice(1) }, wallet)).toBe(true)
  expect(isLimited({ ...usual, maxUsdc: '5' }, wallet)).toBe(true)
})

test('a key of a merchant is limited by each of its limits', () => {
  expect(isLimited(NONE, null)).toBe(false)
  expect(isLimited({ ...NONE, allowedNetworks: networksFor(null).slice(1) }, null)).toBe(true)
  expect(isLimited({ ...NONE, payToAllow: [EVM] }, null)).toBe(true)
  expect(isLimited({ ...NONE, maxUsdc: '5' }, null)).toBe(true)
})
