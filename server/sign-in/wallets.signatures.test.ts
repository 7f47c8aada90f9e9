import { base58 } from '@scure/base'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { evmWallet, signInText, solanaWallet } from '../../test/sign-in'
import { anna, answerTo, NOW, prover, sol } from '../../test/wallets'

describe('a signature that is not of the wallet', () => {
  const text = signInText(anna, {}, NOW)
  const ofSolana = signInText(sol, {}, NOW)
  const signature = (value: string) => ({ sign: async () => value })

  test('of another key', async () => {
    expect(await answerTo(text, evmWallet())).toMatch(/^unauthorized: .*not by the key .* no RPC endpoint for its chain 84532/)
    expect(await answerTo(ofSolana, solanaWallet())).toMatch(/^unauthorized: .*not by the key/)
  })

  test('of another message', async () => {
    const other = await anna.sign(signInText(anna, { nonce: 'another11' }, NOW))
    expect(await answerTo(text, signature(other))).toMatch(/^unauthorized: .*not by the key/)
  })

  test.each(['nonsense', '0x', '0xabc', `0x${'zz'.repeat(65)}`, `0x${'00'.repeat(2_049)}`])('%s', async (value) => {
    expect(await answerTo(text, signature(value))).toMatch(/^unauthorized: X-SIWE-Signature must (be|have)/)
    expect(await answerTo(ofSolana, signature(value))).toMatch(/^unauthorized: X-SIWE-Signature of a Solana wallet must have/)
  })

  test('r and s that no key makes', async () => {
    for (const byte of ['00', 'ff']) {
      expect(await answerTo(text, signature(`0x${byte.repeat(64)}1b`))).toMatch(/^unauthorized: .*not by the key/)
    }
  })

  test('a Solana key of small order, for which nearly anything holds', async () => {
    const weak = signInText({ family: 'Solana', address: base58.encode(Buffer.alloc(32)) }, {}, NOW)
    expect(await answerTo(weak, signature(`0x${'00'.repeat(64)}`))).toMatch(/^unauthorized: .*not by the key/)
  })

  test('one that is wrapped for a wallet of the future (ERC-6492)', async () => {
    const wrapped = `0x${'00'.repeat(96)}${'6492'.repeat(16)}`
    const asked: number[] = []
    const by = prover((chainId) => () => {
      asked.push(chainId)
      return Promise.resolve(true)
    })
    expect(await answerTo(text, signature(wrapped), by)).toMatch(/^unauthorized: .*ERC-6492.*deploy the wallet/)
    expect(asked).toEqual([])
  })
})

describe('the code of a wallet is called', () => {
  const text = signInText(anna, { chainId: '8453' }, NOW)
  const anything = { sign: async () => '0xC0DE' }

  test('when the key did not sign, on the chain of the message, about this message', async () => {
    const asked: [number, Hex][] = []
    const by = prover((chainId) => ({ wallet, signature }) => {
      asked.push([chainId, wallet])
      return Promise.resolve(signature === '0xc0de')
    })
    expect(await answerTo(text, anything, by)).toBe(anna.address.toLowerCase())
    expect(asked).toEqual([[8453, anna.address.toLowerCase()]])
  })

  test('and not when the key did', async () => {
    const by = prover(() => () => Promise.reject(new Error('asked')))
    expect(await answerTo(text, anna, by)).toBe(anna.address.toLowerCase())
  })

  test('and not on a chain of another environment: the refusal says which chain counts', async () => {
    const by = prover((chainId) => (chainId === 84532 ? () => Promise.resolve(true) : { insteadOn: 84532 }))
    expect(await answerTo(text, anything, by)).toMatch(
      /^unauthorized: .*this service accepts smart wallets of chain 84532, not 8453; sign a message with "Chain ID: 84532"/,
    )
    expect(await answerTo(text, anna, by)).toBe(anna.address.toLowerCase())
  })

  test('and its no is a no', async () => {
    expect(
      await answerTo(
        text,
        anything,
        prover(() => () => Promise.resolve(false)),
      ),
    ).toMatch(/^unauthorized: .*contract at its address/)
  })

  test('and a node that is silent is not a no', async () => {
    expect(
      await answerTo(
        text,
        anything,
        prover(() => () => Promise.reject(new Error('silent'))),
      ),
    ).toMatch(/^unavailable: .*does not answer/)
  })

  test('and beyond eighty at once the others must retry', async () => {
    let answer = (_: boolean): void => {}
    const slow = new Promise<boolean>((resolve) => {
      answer = resolve
    })
    const by = prover(() => () => slow)
    const asking = Array.from({ length: 81 }, () => answerTo(text, anything, by))
    expect(await Promise.race(asking)).toMatch(/^unavailable: too many/)
    answer(true)
    expect((await Promise.all(asking)).filter((said) => said.startsWith('0x'))).toHaveLength(80)
  })
})
