import { base58 } from '@scure/base'
import {
  getOffchainMessageV0Encoder,
  getOffchainMessageV1Encoder,
  offchainMessageApplicationDomain,
  offchainMessageContentUtf8Of1232BytesMax,
  address as solanaAddress,
} from '@solana/kit'
import { describe, expect, test } from 'vitest'
import { signInText, solanaWallet } from '../../test/support/payloads/sign-in'
import { answerTo, NOW, sol } from '../../test/support/payloads/wallets'
import { isEnvelope } from './envelope'

describe('a signature of a Ledger, whose key signs the text in an envelope, is named:', () => {
  const text = signInText(sol, {}, NOW)
  const domain = Buffer.from('\xffsolana offchain', 'latin1')
  const body = Buffer.from(text)
  const length = Buffer.from(Uint16Array.of(body.length).buffer)
  const key = base58.decode(sol.address)
  const host = Buffer.concat([Buffer.from('localhost:3000'), Buffer.alloc(32)]).subarray(0, 32)
  const named = /^unauthorized: X-SIWE-Signature is of a text in the envelope of Solana off-chain messages, which a Ledger/

  test.each([
    ['of the Solana CLI', [domain, Buffer.of(0, 1), length, body]],
    ['of version 0', [domain, Buffer.of(0), Buffer.alloc(32), Buffer.of(1, 1), key, length, body]],
    ['of version 0 with the host', [domain, Buffer.of(0), host, Buffer.of(0, 1), key, length, body]],
    ['of version 1', [domain, Buffer.of(1, 1), key, body]],
  ])('%s', async (_, parts) => {
    expect(await answerTo(text, { sign: () => sol.signBytes(Buffer.concat(parts)) })).toMatch(named)
  })

  test('in the version 0 and 1 that the official package writes', async () => {
    const signatory = { address: solanaAddress(sol.address) }
    const envelopes = [
      getOffchainMessageV0Encoder().encode({
        version: 0,
        applicationDomain: offchainMessageApplicationDomain('1'.repeat(32)),
        content: offchainMessageContentUtf8Of1232BytesMax(text),
        requiredSignatories: [signatory],
      }),
      getOffchainMessageV1Encoder().encode({ version: 1, content: text, requiredSignatories: [signatory] }),
    ]
    for (const envelope of envelopes) {
      expect(await answerTo(text, { sign: () => sol.signBytes(Uint8Array.from(envelope)) })).toMatch(named)
    }
  })

  test('and of another key it is not', async () => {
    const other = solanaWallet()
    const envelope = Buffer.concat([domain, Buffer.of(0, 1), length, body])
    expect(await answerTo(text, { sign: () => other.signBytes(envelope) })).toMatch(/^unauthorized: .*not by the key/)
  })

  test('and a message that is an envelope is known by its first bytes, in both alphabets', () => {
    const envelope = Buffer.concat([domain, Buffer.of(0, 1), length, body])
    expect([envelope.toString('base64'), envelope.toString('base64url')].map(isEnvelope)).toEqual([true, true])
    expect([Buffer.from(text).toString('base64'), '', '/3Nv'].map(isEnvelope)).toEqual([false, false, false])
  })
})
