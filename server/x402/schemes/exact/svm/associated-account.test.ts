import { describe, expect, test } from 'vitest'
import { SVM_USDC, someAddress, svmTokenAccount } from '../../../../../test/support/svm/forge'
import { mainAsset } from '../../../networks/networks'
import { associatedAccount } from './associated-account'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs'

describe('the associated token account', () => {
  test('is the one that @solana/kit derives', async () => {
    for (let round = 0; round < 30; round++) {
      const owner = someAddress()
      for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM])
        expect(associatedAccount(owner, SVM_USDC, program)).toBe(await svmTokenAccount(owner, SVM_USDC, program))
    }
  })

  test('is another for each owner, mint and token program', async () => {
    const owners = [someAddress(), someAddress()]
    const mints = [mainAsset('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp').address, SVM_USDC]
    const accounts = owners.flatMap((owner) =>
      mints.flatMap((mint) => [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => associatedAccount(owner, mint, program))),
    )
    expect(new Set(accounts).size).toBe(8)
  })

  test('is nothing for what is no address', () => {
    expect(associatedAccount('merchant.sol', SVM_USDC, TOKEN_PROGRAM)).toBeNull()
    expect(associatedAccount(someAddress(), '', TOKEN_PROGRAM)).toBeNull()
  })
})
