import { base58 } from '@scure/base'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { evmWallet, signInText, solanaWallet } from '../../test/support/payloads/sign-in'
import { anna, answerTo, NOW, prover, sol } from '../../test/support/payloads/wallets'
import type { WalletChain } from './evm-signature'

const on = (chainId: number, checkCode: WalletChain['checkCode']) => prover({ chainId, checkCode })

describe('a signature that is not of the wallet', () => {
  const text = signInText(anna, {}, NOW)
  const ofSolana = signInText(sol, {}, NOW)
  const signature = (value: string) => ({ sign: async () => value })

  test('of another key', async () => {
    expect(await answerTo(text, evmWallet())).toMatch(/^unauthorized: .*not by the key .* checks smart wallets on no chain/)
    expect(await answerTo(ofSolana, solanaWallet())).toMatch(/^unauthorized: .*not by the key/)
  })

  test('of another message', async () => {
    const other = await anna.sign(signInText(anna, { nonce: 'another11' }, NOW))
    expect(await answerTo(text, signature(other))).toMatch(/^unauthorized: .*not by the key/)
  })

  test.each(['nonsense', '0xabc', `0x${'zz'.repeat(65)}`, `0x${'00'.repeat(2_049)}`])('%s', async (value) => {
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
    let asked = 0
    const by = on(84532, async () => asked++ >= 0)
    expect(await answerTo(text, signature(wrapped), by)).toMatch(/^unauthorized: .*ERC-6492.*deploy the wallet/)
    expect(asked).toBe(0)
  })
})

describe('the code of a wallet is called', () => {
  const text = signInText(anna, { chainId: '8453' }, NOW)
  const anything = { sign: async () => '0xC0DE' }

  test('when the key did not sign, about this message', async () => {
    const asked: Hex[] = []
    const by = on(8453, ({ wallet, signature }) => {
      asked.push(wallet)
      return Promise.resolve(signature === '0xc0de')
    })
    expect(await answerTo(text, anything, by)).toBe(anna.address.toLowerCase())
    expect(asked).toEqual([anna.address.toLowerCase()])
  })

  test('also with an empty signature, which a contract may have approved beforehand', async () => {
    const by = (approved: boolean) => on(8453, async ({ signature }) => approved && signature === '0x')
    expect(await answerTo(text, { sign: async () => '0x' }, by(true))).toBe(anna.address.toLowerCase())
    expect(await answerTo(text, { sign: async () => '0x' }, by(false))).toMatch(/^unauthorized: .*contract at its address/)
  })

  test('and not when the key did', async () => {
    const by = on(8453, () => Promise.reject(new Error('asked')))
    expect(await answerTo(text, anna, by)).toBe(anna.address.toLowerCase())
  })

  test('and on one chain only: the refusal says which chain counts', async () => {
    const by = on(84532, () => Promise.resolve(true))
    expect(await answerTo(text, anything, by)).toMatch(
      /^unauthorized: .*this service accepts smart wallets of chain 84532, not 8453; sign a message with "Chain ID: 84532"/,
    )
    expect(await answerTo(text, anna, by)).toBe(anna.address.toLowerCase())
  })

  test('and its no is a no', async () => {
    const by = on(8453, () => Promise.resolve(false))
    expect(await answerTo(text, anything, by)).toMatch(/^unauthorized: .*contract at its address/)
  })

  test('and a node that is silent is not a no', async () => {
    const by = on(8453, () => Promise.reject(new Error('silent')))
    expect(await answerTo(text, anything, by)).toMatch(/^unavailable: .*does not answer/)
  })

  test('and beyond eighty at once the others must retry', async () => {
    let answer = (_: boolean): void => {}
    const slow = new Promise<boolean>((resolve) => {
      answer = resolve
    })
    const by = on(8453, () => slow)
    const asking = Array.from({ length: 81 }, () => answerTo(text, anything, by))
    expect(await Promise.race(asking)).toMatch(/^unavailable: too many/)
    answer(true)
    expect((await Promise.all(asking)).filter((said) => said.startsWith('0x'))).toHaveLength(80)
  })
})
