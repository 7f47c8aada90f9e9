import { z } from 'zod'
import { atomic } from '../../atomic'
import { word } from '../../wire'

export const evmAddress = z.string('must be a string').regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
const signature = z.string('must be a string').regex(/^0x([0-9a-fA-F]{2})*$/, 'must be 0x followed by whole bytes in hex')

/** The `payload` of an EIP-3009 payment. */
export const wireEip3009 = z.object({
  signature,
  authorization: z.object(
    {
      from: evmAddress,
      to: evmAddress,
      value: atomic,
      validAfter: atomic,
      validBefore: atomic,
      nonce: z.string('must be a string').regex(/^0x[0-9a-fA-F]{64}$/, 'must be 32 bytes: 0x and 64 hex digits'),
    },
    'must be an object with from, to, value, validAfter, validBefore and nonce',
  ),
})

/** The `payload` of a Permit2 payment. */
export const wirePermit2 = z.object({
  signature,
  permit2Authorization: z.object(
    {
      from: evmAddress,
      permitted: z.object({ token: evmAddress, amount: atomic }, 'must be an object with token and amount'),
      spender: evmAddress,
      nonce: atomic,
      deadline: atomic,
      witness: z.object({ to: evmAddress, validAfter: atomic }, 'must be an object with to and validAfter'),
    },
    'must be an object with from, permitted, spender, nonce, deadline and witness',
  ),
})

/** The `payload` of a Solana payment. */
export const wireSvm = z.object({ transaction: word(4096) })
