import { expect, test } from 'vitest'
import { changedAccount } from './changed-account'
import type { SigningWallet } from './signing-wallet'

const ANNA = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const BELA = '0x1111111111111111111111111111111111111111'
const SOL = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'

const refused = () => Promise.reject(new Error('not in this test'))
const wallet = (family: 'evm' | 'svm', address: string | null): SigningWallet => ({
  family,
  id: `${family} ${address}`,
  name: 'Wallet',
  icon: null,
  connect: refused,
  sign: refused,
  signTransfer: refused,
  signTransaction: refused,
  account: address === null ? null : { address, chain: null },
})

test('a wallet with another account is reported', () => {
  expect(changedAccount([wallet('evm', null), wallet('evm', BELA)], ANNA)?.address).toBe(BELA)
  expect(changedAccount([wallet('svm', SOL)], '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS')?.address).toBe(SOL)
})

test.each([
  ['before the first search ends', null],
  ['without a wallet', []],
  ['while none is connected', [wallet('evm', null)]],
  ['with the signed-in account, in any letter case', [wallet('evm', ANNA.toLowerCase())]],
  ['while another wallet shares the signed-in account', [wallet('evm', BELA), wallet('evm', ANNA)]],
  ['of the other family', [wallet('svm', SOL)]],
])('nothing is reported %s', (_, wallets) => {
  expect(changedAccount(wallets, ANNA)).toBeNull()
})
