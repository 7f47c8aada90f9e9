import { describe, expect, test } from 'vitest'
import { createWallets } from '@/server/sign-in/wallets'
import { evmWallet, ORIGIN, solanaWallet } from '../../test/sign-in'
import { signInText } from './sign-in-text'

const NOW = new Date('2026-11-21T12:00:00Z')
const proverAt = (now: Date, baseUrl = ORIGIN) =>
  createWallets({ origin: { baseUrl, maxAgeHours: 168 }, codeOf: () => ({ insteadOn: null }), now: () => now })

const wallets = [
  ['Ethereum', 'evm', evmWallet()],
  ['Solana', 'svm', solanaWallet()],
] as const

describe.each(wallets)('the text that a wallet of %s signs', (_name, family, wallet) => {
  const asked = { family, address: wallet.address, chainId: 8453, origin: ORIGIN, now: NOW }

  test('signs it in', async () => {
    const text = signInText(asked)
    const signature = await wallet.sign(text)
    const known = family === 'evm' ? wallet.address.toLowerCase() : wallet.address
    expect(await proverAt(NOW)({ text, signature })).toBe(known)
  })

  test('is good for ten minutes', async () => {
    const text = signInText(asked)
    const signature = await wallet.sign(text)
    await expect(proverAt(new Date(NOW.getTime() + 601_000))({ text, signature })).rejects.toMatchObject({
      refusal: 'unauthorized',
    })
  })

  test('is good at the website that it names, and at no other', async () => {
    const text = signInText({ ...asked, origin: 'https://elsewhere.test' })
    const signature = await wallet.sign(text)
    await expect(proverAt(NOW)({ text, signature })).rejects.toMatchObject({ refusal: 'unauthorized' })
  })

  test('is another one each time', () => {
    expect(signInText(asked)).not.toBe(signInText(asked))
  })
})
