import { z } from 'zod'

/** What the program of a local chain is told, in one JSON argument. */
export const optionsSchema = z.object({
  cluster: z.enum(['devnet', 'mainnet']),
  port: z.number(),
  slotMs: z.number().positive(),
  /** How long after its slot a block is confirmed, in the chain's own time: rounded up to whole slots. */
  confirmMs: z.number().nonnegative(),
  finalizedSlots: z.number().nonnegative(),
  stateFile: z.string().optional(),
})
export type ProgramOptions = z.output<typeof optionsSchema>
