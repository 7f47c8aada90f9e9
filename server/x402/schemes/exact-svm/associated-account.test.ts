import { describe, expect, test } from 'vitest'
import { SVM_USDC, someAddress, svmTokenAccount } from '../../../../test/svm-forge'
import { mainAsset } from '../../networks'
import { associatedAccount } from './associated-account'

describe('the associated token account', () => {
  test('is the one that @solana/kit derives', async () => {
    for (let round = 0; round < 30; round++) {
      const owner = someAddress()
      expect(associatedAccount(owner, SVM_USDC)).toBe(await svmTokenAccount(owner))
      expect(associatedAccount(owner, SVM_USDC)).toBe(await svmTokenAccount(owner))
    }
  })

  test('is another for each owner and each mint', async () => {
    const owners = [someAddress(), someAddress()]
    const mints = [mainAsset('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp').address, SVM_USDC]
    const accounts = owners.flatMap((owner) => mints.map((mint) => associatedAccount(owner, mint)))
    expect(new Set(accounts).size).toBe(4)
  })

  test('is nothing for what is no address', () => {
    expect(associatedAccount('merchant.sol', SVM_USDC)).toBeNull()
    expect(associatedAccount(someAddress(), '')).toBeNull()
  })
})
