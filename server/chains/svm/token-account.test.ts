import { base64 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { addressOf, tokenAccount, wireAccount } from '../../../test/support/svm/fake-cluster'
import { account } from './rpc'
import { readTokenAccount } from './simulation'

const [mint, owner] = [addressOf(1), addressOf(2)]
const read = (wire: unknown) => readTokenAccount(account.parse(wire))

describe('a token account', () => {
  test('shows mint, owner, all 64 bits of its amount and whether it is frozen', () => {
    const amount = 2n ** 64n - 1n
    expect(read(tokenAccount({ mint, owner, amount }))).toEqual({ mint, owner, amount, frozen: false })
    expect(read(tokenAccount({ mint, owner, amount, state: 2 }))).toEqual({ mint, owner, amount, frozen: true })
  })

  test.each<[string, unknown]>([
    ['an account without bytes', wireAccount('11111111111111111111111111111111', new Uint8Array())],
    ['a token account of another program', wireAccount(addressOf(9), new Uint8Array(165).fill(1))],
    ['a token account that was never opened', tokenAccount({ mint, owner, amount: 5n, state: 0 })],
  ])('is not %s', (_, wire) => {
    expect(read(wire)).toBeNull()
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['bytes in another encoding', { owner, data: [base64.encode(new Uint8Array()), 'base58'] }],
    ['bytes that are no base64', { owner, data: ['_', 'base64'] }],
    ['parsed data', { owner, data: { parsed: {} } }],
  ])('is not read from %s', (_, wire) => {
    expect(() => read(wire)).toThrow()
  })
})
