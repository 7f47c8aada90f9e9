import { z } from 'zod'
import { hexText } from '../evm-stored'

/** A channel as the ledger stores it. */
export const storedChannel = z.object({
  payer: hexText,
  payerAuthorizer: hexText,
  receiver: hexText,
  receiverAuthorizer: hexText,
  token: hexText,
  withdrawDelay: z.number(),
  salt: hexText,
})
