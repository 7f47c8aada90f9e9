import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { z } from 'zod'
import { lockFolder } from '../server/db/folder-lock'
import { newSigningKey, signingKey } from './identity/identity-provider'
import { newSecretKey } from './solana/keys'

const newSecret = () => randomBytes(32).toString('hex')
const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value))
// Each default is for a kept world that is older than the key.
const worldSchema = z.object({
  keys: z.object({
    /** Pays the gas of the sandbox. */
    signer: hex,
    /** Pays the gas of settlements with an API key. */
    production: hex.default(generatePrivateKey),
    payer: hex,
    merchant: hex,
    /** The keys of the four accounts on Solana, in base58. */
    solanaSigner: z.string().default(newSecretKey),
    solanaProduction: z.string().default(newSecretKey),
    solanaPayer: z.string().default(newSecretKey),
    solanaMerchant: z.string().default(newSecretKey),
    /** The operator's accounts: agents pay for credits here. */
    operator: hex.default(generatePrivateKey),
    solanaOperator: z.string().default(newSecretKey),
  }),
  secrets: z.object({
    admin: z.string(),
    auth: z.string(),
    /** The sample merchant's API key; absent until the service ran once. */
    apiKey: z.string().optional(),
    /** The dashboard's client secret at the identity provider, and the provider's signing key. */
    identityClient: z.string().default(newSecret),
    identityKey: signingKey.default(newSigningKey),
  }),
  chainState: z.string(),
  /** Absent in a world that is older than the chain. */
  baseState: z.string().optional(),
  solanaState: z.string().optional(),
  solanaDevnetState: z.string().optional(),
  database: z.string(),
  serviceLog: z.string(),
  /** Absent after a clean stop. */
  running: z
    .object({
      pid: z.number(),
      since: z.number(),
      baseUrl: z.string(),
      merchantUrl: z.string(),
      /** The nodes by network; absent while they start. */
      nodes: z.record(z.string(), z.string()).optional(),
      /** The identity provider; absent while it starts. */
      issuer: z.string().optional(),
    })
    .optional(),
})

type Known = z.infer<typeof worldSchema>
/** What a local world keeps between runs; its paths are relative to its folder. */
export type WorldRecord = Known & Record<LaterChain, string>
export type Running = NonNullable<Known['running']>

/** Where `npm run demo` and `npm run dev` keep their world. */
export const demoFolder = '.data/demo'

type LaterChain = 'baseState' | 'solanaState' | 'solanaDevnetState'
// The chains that older worlds do not have: their names in messages, and their files.
const laterChains = [
  { part: 'Base chain', state: 'baseState', file: 'base.json' },
  { part: 'Solana chain', state: 'solanaState', file: 'solana.json' },
  { part: 'Solana devnet chain', state: 'solanaDevnetState', file: 'solana-devnet.json' },
] as const satisfies { part: string; state: LaterChain; file: string }[]
const startupMs = 180_000

/**
 * Opens the folder of a local world as it was, or makes a new world in an empty one. A lost database becomes an empty one; after any other
 * loss the folder is moved aside and a new world starts. Says so in both cases.
 */
export function openWorld(folder: string, say: (line: string) => void): WorldRecord {
  const known = readWorld(folder)
  const chains = chainsOf(folder, known)
  const database = isDatabase(folder, known)
  const lostChains = Object.keys(chains).filter((part) => !chains[part])
  const untouched = !database && lostChains.length === Object.keys(chains).length
  if (known && (untouched || lostChains.length === 0)) {
    if (!database) replaceDatabase(folder, known, say)
    return complete(known)
  }
  if (!untouched) {
    // A ledger without its chains waits for transactions that no chain knows.
    const aside = asideOf(folder)
    renameSync(folder, aside)
    const lost = [...(known ? [] : ['keys']), ...lostChains, ...(database ? [] : ['database'])]
    say(`The saved demo in ${folder} has lost its ${lost.join(' and ')}: a new one starts, and the old files are in ${aside}.`)
  }
  const created = newWorld()
  writeWorld(folder, created)
  return created
}

/** The folder of the embedded database in a service's data folder. */
export const databaseIn = (dataFolder: string): string => join(dataFolder, 'db')

function replaceDatabase(folder: string, { database, secrets }: Known, say: (line: string) => void): void {
  const dataFolder = join(folder, database)
  // What is left of a damaged database must not be opened as one.
  if (existsSync(dataFolder)) renameSync(dataFolder, asideOf(dataFolder))
  // Without an API key the service never ran: there was no database to lose.
  if (secrets.apiKey === undefined) return
  say(`The saved demo has lost its database (${dataFolder}) and starts with an empty one.`)
  say('Its keys and chains stay; earlier payments are on the chains but no longer in the history.')
}

const asideOf = (path: string): string => `${path}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`

/** The record of the world in a folder; undefined without a readable one. */
export function readWorld(folder: string): Known | undefined {
  try {
    return worldSchema.parse(JSON.parse(readFileSync(join(folder, 'world.json'), 'utf8')))
  } catch {
    return undefined
  }
}

/** Writes the record in one step, readable by its owner alone. */
export function writeWorld(folder: string, world: WorldRecord): void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'world.json')
  writeFileSync(`${file}.new`, `${JSON.stringify(world, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The run that owns this folder now: its process lives, and it answers, is slow, or may still start. */
export async function findRunning(folder: string): Promise<Running | undefined> {
  const running = readWorld(folder)?.running
  if (!running || running.pid === process.pid || !isAlive(running.pid)) return undefined
  // After a reboot the process id may belong to another program.
  const answers = await fetch(running.merchantUrl, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    (cause: unknown) => cause instanceof Error && cause.name === 'TimeoutError',
  )
  return answers || Date.now() - running.since < startupMs ? running : undefined
}

const releaseMs = 40_000

/**
 * Waits until the service of an earlier run has released its database: after a kill -9 of the demo it still drains, for up to 25 seconds.
 * Says so once. Throws when the database is still in use after 40 seconds.
 */
export async function databaseReleased(folder: string, say: (line: string) => void, signal?: AbortSignal): Promise<void> {
  if (!existsSync(folder)) return
  const deadline = Date.now() + releaseMs
  for (let noticed = false; ; noticed = true) {
    signal?.throwIfAborted()
    try {
      const lock = await lockFolder(folder)
      return await lock.release()
    } catch (cause) {
      if (Date.now() > deadline) throw cause
      if (!noticed) say('Waiting for the service of an earlier run to stop (up to 25 s).')
    }
    await delay(250)
  }
}

/** Which chains of a world are there. A chain that is newer than the world counts as there. */
function chainsOf(folder: string, known: Known | undefined): Record<string, boolean> {
  const chain = isJson(join(folder, known?.chainState ?? 'chain.json'))
  const later = laterChains.map(({ part, state, file }) => {
    const isNewer = known !== undefined && known[state] === undefined
    return [part, isNewer ? chain : isJson(join(folder, known?.[state] ?? file))]
  })
  return { chain, ...Object.fromEntries(later) }
}

// PostgreSQL writes this file when it creates a database.
function isDatabase(folder: string, known: Known | undefined): boolean {
  return existsSync(join(databaseIn(join(folder, known?.database ?? 'service')), 'postgres', 'PG_VERSION'))
}

function complete(known: Known): WorldRecord {
  const [base, solana, solanaDevnet] = laterChains
  return {
    ...known,
    baseState: known.baseState ?? base.file,
    solanaState: known.solanaState ?? solana.file,
    solanaDevnetState: known.solanaDevnetState ?? solanaDevnet.file,
  }
}

function newWorld(): WorldRecord {
  const keys = { signer: generatePrivateKey(), production: generatePrivateKey() }
  const solanaKeys = { solanaSigner: newSecretKey(), solanaProduction: newSecretKey() }
  const accounts = { payer: generatePrivateKey(), merchant: generatePrivateKey(), operator: generatePrivateKey() }
  const solanaAccounts = { solanaPayer: newSecretKey(), solanaMerchant: newSecretKey(), solanaOperator: newSecretKey() }
  return complete({
    keys: { ...keys, ...accounts, ...solanaKeys, ...solanaAccounts },
    secrets: { admin: newSecret(), auth: newSecret(), identityClient: newSecret(), identityKey: newSigningKey() },
    chainState: 'chain.json',
    database: 'service',
    serviceLog: 'service.log',
  })
}

function isJson(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'))
    return true
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM'
  }
}
