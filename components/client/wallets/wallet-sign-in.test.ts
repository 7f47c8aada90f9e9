import { describe, expect, test } from 'vitest'
import { createWallets } from '@/server/sign-in/wallets'
import { evmWallet, ORIGIN, solanaWallet } from '../../../test/support/payloads/sign-in'
import { signInText } from './wallet-sign-in'

const NOW = new Date('2026-11-21T12:00:00Z')
const proverAt = (now: Date, baseUrl = ORIGIN) =>
  createWallets({ origin: { baseUrl, maxAgeHours: 168 }, chain: null, now: () => now })

const wallets = [
  ['Ethereum', 'evm', evmWallet()],
  ['Solana', 'svm', solanaWallet()],
] as const

describe.each(wallets)('the sign-in message of an %s wallet', (_name, family, wallet) => {
  const asked = { family, address: wallet.address, chainId: 8453, origin: ORIGIN, nonce: 'abcdef0123456789', now: NOW }

  test('signs it in', async () => {
    const text = signInText(asked)
    const signature = await wallet.sign(text)
    const known = family === 'evm' ? wallet.address.toLowerCase() : wallet.address
    expect(await proverAt(NOW)({ text, signature })).toBe(known)
  })

  test('is valid for ten minutes', async () => {
    const text = signInText(asked)
    const signature = await wallet.sign(text)
    await expect(proverAt(new Date(NOW.getTime() + 601_000))({ text, signature })).rejects.toMatchObject({
      refusal: 'unauthorized',
    })
  })

  test('is valid only at the origin it names', async () => {
    const text = signInText({ ...asked, origin: 'https://elsewhere.test' })
    const signature = await wallet.sign(text)
    await expect(proverAt(NOW)({ text, signature })).rejects.toMatchObject({ refusal: 'unauthorized' })
  })

  test('carries the nonce of its browser, and fits the rules for a sign-in there', async () => {
    const text = signInText(asked)
    const signature = await wallet.sign(text)
    await expect(proverAt(NOW)({ text, signature, browserNonce: asked.nonce })).resolves.toBeTruthy()
    await expect(proverAt(NOW)({ text, signature, browserNonce: 'fedcba9876543210' })).rejects.toMatchObject({
      message: expect.stringContaining('another browser'),
    })
  })
})
