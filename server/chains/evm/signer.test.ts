import fc from 'fast-check'
import { type Hex, keccak256, parseTransaction, recoverTransactionAddress, type TransactionSerializedEIP1559 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createSigner } from './signer'

const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
const fields = {
  type: 'eip1559',
  chainId: 84532,
  to: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  data: '0x1234',
  gas: 120_000n,
  maxFeePerGas: 3_000_000_000n,
  maxPriorityFeePerGas: 1_000_000n,
} as const

describe('a signer', () => {
  test('signs as its own address, with any nonce', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.uint8Array({ maxLength: 600 }), async (nonce, bytes) => {
        const key = generatePrivateKey()
        const signer = createSigner(key)
        const data: Hex = `0x${Buffer.from(bytes).toString('hex')}`
        const { raw, hash } = signer.sign({ ...fields, nonce, data })
        const { r: _r, s: _s, yParity: _y, v: _v, ...parsed } = parseTransaction(raw as TransactionSerializedEIP1559)
        expect({ data: '0x', ...parsed }).toEqual({ ...fields, nonce, data })
        expect(hash).toBe(keccak256(raw))
        expect(await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerializedEIP1559 })).toBe(
          privateKeyToAccount(key).address,
        )
      }),
      { numRuns: 30 },
    )
  })

  test('signs the same transaction the same way: a retry is byte-identical', () => {
    const key = generatePrivateKey()
    expect(createSigner(key).sign({ ...fields, nonce: 7 })).toEqual(createSigner(key).sign({ ...fields, nonce: 7 }))
  })

  test('has a lower-case address', () => {
    const key = generatePrivateKey()
    expect(createSigner(key).address).toBe(privateKeyToAccount(key).address.toLowerCase())
  })

  test('keeps its key to itself', () => {
    const key = generatePrivateKey()
    expect(JSON.stringify(createSigner(key))).not.toContain(key.slice(2, 20))
  })
})

describe('a key that is none', () => {
  test.each<[string, Hex]>([
    ['zero', `0x${'00'.repeat(32)}`],
    ['the order of the curve', `0x${ORDER}`],
    ['31 bytes', `0x${'5a'.repeat(31)}`],
    ['33 bytes', `0x${'5a'.repeat(33)}`],
    ['nothing', '0x'],
    ['not hex', `0x${'5z'.repeat(32)}`],
    ['an odd number of digits', `0x${'5a'.repeat(31)}5`],
  ])('is refused without quoting it: %s', (_, key) => {
    let said = ''
    try {
      createSigner(key)
    } catch (error) {
      said = JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error)
    }
    expect(said).toContain('a signer key must be 32 bytes in hex, 0x first')
    expect(said).not.toMatch(/5[az]5[az]|ffffffff/)
  })
})
