import { join } from 'node:path'
import { listening, spawnTied, stopChild } from '../child'
import { connectSolana, type SolanaClient } from './client'
import { type ClusterName, clusters } from './clusters'
import type { ProgramOptions } from './options'

export type SolanaOptions = {
  cluster: ClusterName
  /** 0 or absent: any free one. */
  port?: number | undefined
  slotMs?: number | undefined
  /** How long after its slot a transaction is confirmed; in the chain's own time, so that `advance` passes it too. */
  confirmMs?: number | undefined
  finalizedSlots?: number | undefined
  /** Where the chain is kept between runs. */
  stateFile?: string | undefined
}

/** A running chain that is ours to stop. */
export type Solana = SolanaClient & { port: number; pid: number; stop: () => Promise<void> }

const usual = { port: 0, slotMs: 400, finalizedSlots: 32 }
const root = join(import.meta.dirname, '..', '..')

/** Starts a local Solana with USDC at its real address; it ends with this process at the latest. */
export async function startSolana({ cluster, ...wishes }: SolanaOptions): Promise<Solana> {
  const slotMs = wishes.slotMs ?? usual.slotMs
  const options: ProgramOptions = {
    cluster,
    port: wishes.port ?? usual.port,
    slotMs,
    confirmMs: wishes.confirmMs ?? slotMs,
    finalizedSlots: wishes.finalizedSlots ?? usual.finalizedSlots,
    stateFile: wishes.stateFile,
  }
  const program = join(import.meta.dirname, 'main.ts')
  const child = spawnTied(process.execPath, ['--import', 'tsx', program, JSON.stringify(options)], { cwd: root, output: 'pipe' })
  const port = await listening(child, (said) => whyNot(said, options))
  if (child.pid === undefined) throw new Error('the local Solana listens but has no process id')
  const client = connectSolana(cluster, `http://127.0.0.1:${port}`)
  return { ...client, port, pid: child.pid, stop: () => stopChild(child, 5_000) }
}

function whyNot(said: string, { cluster, port }: ProgramOptions): string {
  const { title } = clusters[cluster]
  if (/EADDRINUSE/.test(said)) {
    return `Port ${port} is taken, so the local ${title} cannot listen on it; free it or choose another port (0 takes any free one).`
  }
  return said.trim() || `The local ${title} did not start: it ended without a word`
}
