import { z } from 'zod'
import type { Payment } from './payment'

const extension = z.object({ info: z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{16,128}$/) }) })

/** The id that the client gave its request by the extension `payment-identifier`; null without a well-formed one. */
export function paymentIdentifierOf({ declared }: Pick<Payment, 'declared'>): string | null {
  return extension.safeParse(declared.extensions?.['payment-identifier']).data?.info.id ?? null
}
