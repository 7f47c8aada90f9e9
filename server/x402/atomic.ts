import { z } from 'zod'

const UINT256_MAX = 2n ** 256n - 1n

/** A whole number of atomic units as decimal digits, at most 2^256 - 1: no sign, exponent, hex, blanks or leading plus. */
export const atomic = z
  .string('must be a string of decimal digits')
  .regex(/^\d{1,78}$/, 'must be a whole number in decimal digits, as a string')
  .transform((digits, context) => {
    const value = BigInt(digits)
    if (value > UINT256_MAX) context.addIssue({ code: 'custom', message: 'must be at most 2^256 - 1' })
    return value
  })
