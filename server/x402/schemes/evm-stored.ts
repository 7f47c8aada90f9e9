import { z } from 'zod'

/** Hex as the ledger stores it: in lower case. */
export const hexText = z
  .string()
  .regex(/^0x[0-9a-f]*$/)
  .transform((text): `0x${string}` => `0x${text.slice(2)}`)

/** The same fields, with numbers as decimal digits. */
export const digits = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]))
