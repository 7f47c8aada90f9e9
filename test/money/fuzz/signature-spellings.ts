import { encodeFunctionData, type Hex, parseSignature, serializeErc6492Signature, serializeSignature, toHex } from 'viem'
import { usdcAbi } from '../../../devnet/abi'
import { usdcDomain } from '../../../devnet/authorization'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Spellings of a signature. */
export const SPELLINGS = {
  'as it is': (good: Hex) => good,
  'v of 0 or 1': (good: Hex): Hex => `${asHex(good.slice(0, 130))}${good.endsWith('1b') ? '00' : '01'}`,
  'high s': (good: Hex) => {
    const { r, s, yParity } = parseSignature(good)
    return serializeSignature({ r, s: toHex(ORDER - BigInt(s), { size: 32 }), yParity: 1 - yParity })
  },
  nothing: (): Hex => '0x',
  'cut short': (good: Hex) => asHex(good.slice(0, 130)),
  'with a byte more': (good: Hex): Hex => `${good}00`,
  'with a bit flipped': (good: Hex) => asHex(`0x${good[2] === '0' ? '1' : '0'}${good.slice(3)}`),
  zeros: (): Hex => `0x${'00'.repeat(65)}`,
  'v of 29': (good: Hex) => asHex(`${good.slice(0, 130)}1d`),
  'in capitals': (good: Hex) => asHex(`0x${good.slice(2).toUpperCase()}`),
  'wrapped for a factory': (signature: Hex) =>
    serializeErc6492Signature({ address: usdcDomain(84532).verifyingContract, data: SOME_CALL, signature }),
  'an empty wrapper': (good: Hex): Hex => `${good}${'6492'.repeat(16)}`,
}

const SOME_CALL = encodeFunctionData({
  abi: usdcAbi,
  functionName: 'transfer',
  args: ['0x209693Bc6afc0C5328bA36FaF03C514EF312287C', 1n],
})

/** Types a hex text as `Hex`. */
export const asHex = (text: string): Hex => `0x${text.slice(2)}`
