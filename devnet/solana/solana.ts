import { join } from 'node:path'
import { z } from 'zod'
import { bundled } from '../bundle'
import { listening, spawnTied, stopChild } from '../child'
import { connectSolana, type SolanaClient } from './client'
import { type ClusterName, clusters } from './clusters'

/** The options of a local chain's program, in one JSON argument. */
export const optionsSchema = z.object({
  cluster: z.enum(['devnet', 'mainnet']),
  port: z.number(),
  slotMs: z.number().positive(),
  /** From a block's slot to its confirmation, in chain time: rounded up to whole slots. */
  confirmMs: z.number().nonnegative(),
  finalizedSlots: z.number().nonnegative(),
  stateFile: z.string().optional(),
})
export type ProgramOptions = z.output<typeof optionsSchema>

type SolanaOptions = {
  cluster: ClusterName
  /** 0 or unset: any free port. */
  port?: number | undefined
  slotMs?: number | undefined
  /** From a transaction's slot to its confirmation, in chain time: `advance` shortens it too. */
  confirmMs?: number | undefined
  finalizedSlots?: number | undefined
  /** Keeps the chain between runs. */
  stateFile?: string | undefined
}

/** A running chain that the caller stops. */
export type Solana = SolanaClient & { port: number; pid: number; stop: () => Promise<void> }

const defaults = { port: 0, slotMs: 400, finalizedSlots: 32 }
const root = join(import.meta.dirname, '..', '..')

/** Starts a local Solana with USDC at its real address; it ends with this process at the latest. */
export async function startSolana({ cluster, ...wishes }: SolanaOptions): Promise<Solana> {
  const slotMs = wishes.slotMs ?? defaults.slotMs
  const options: ProgramOptions = {
    cluster,
    port: wishes.port ?? defaults.port,
    slotMs,
    confirmMs: wishes.confirmMs ?? slotMs,
    finalizedSlots: wishes.finalizedSlots ?? defaults.finalizedSlots,
    stateFile: wishes.stateFile,
  }
  const program = await bundled(join(import.meta.dirname, 'main.ts'))
  const child = spawnTied(process.execPath, [program, JSON.stringify(options)], { cwd: root, output: 'pipe' })
  const port = await listening(child, (output) => whyNot(output, options))
  if (child.pid === undefined) throw new Error('the local Solana listens but has no process id')
  const client = connectSolana(cluster, `http://127.0.0.1:${port}`)
  return { ...client, port, pid: child.pid, stop: () => stopChild(child, 5_000) }
}

function whyNot(output: string, { cluster, port }: ProgramOptions): string {
  const { title } = clusters[cluster]
  if (/EADDRINUSE/.test(output)) {
    return `Port ${port} is taken, so the local ${title} cannot listen on it; free it or choose another port (0 takes any free one).`
  }
  return output.trim() || `The local ${title} did not start: it printed nothing`
}
