import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { historySchema } from './history'

// A snapshot of another version crashes the virtual machine.
const { version } = z.object({ version: z.string() }).parse(createRequire(import.meta.url)('litesvm/package.json'))
const machine = `litesvm ${version}`

const stateSchema = z.object({
  machine: z.literal(machine),
  genesisHash: z.string(),
  seed: z.string(),
  height: z.number(),
  transactionCount: z.number(),
  /** By the wall clock, in milliseconds. */
  savedAt: z.number(),
  frozen: z.boolean(),
  processed: z.array(z.tuple([z.string(), z.number()])),
  history: historySchema,
  /** The virtual machine's snapshot, compressed, and its SHA-256. */
  accounts: z.string(),
  digest: z.string(),
})
export type State = Omit<z.output<typeof stateSchema>, 'machine' | 'accounts' | 'digest'> & { snapshot: Uint8Array }

/** The state of a chain in a file; undefined without a file. Throws for a damaged file or another cluster's. */
export function readState(file: string, genesisHash: string): State | undefined {
  if (!existsSync(file)) return undefined
  let state: State
  try {
    const { machine: _, accounts, digest, ...rest } = stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    const snapshot = gunzipSync(Buffer.from(accounts, 'base64'))
    if (sha256(snapshot) !== digest) throw new Error('its accounts do not match their digest')
    state = { ...rest, snapshot }
  } catch (cause) {
    throw new Error(`The chain's state file ${file} is damaged; move it away to start a new chain.`, { cause })
  }
  if (state.genesisHash === genesisHash) return state
  throw new Error(`The chain's state file ${file} is another cluster's; move it away to start a new chain.`)
}

/** Writes the state in one step: a reader sees the old file or the new one. */
export function writeState(file: string, { snapshot, ...rest }: State): void {
  const accounts = gzipSync(snapshot, { level: 1 }).toString('base64')
  writeFileSync(`${file}.new`, JSON.stringify({ machine, ...rest, accounts, digest: sha256(snapshot) }))
  renameSync(`${file}.new`, file)
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
