import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { z } from 'zod'
import { newSigningKey } from './identity/key'
import { signingKey } from './identity/options'
import { newSecretKey } from './solana/keys'

const newSecret = () => randomBytes(32).toString('hex')
const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value))
const worldSchema = z.object({
  keys: z.object({
    /** Pays for the sandbox. */
    signer: hex,
    /** Pays for what is settled with an API key; worlds of before API keys have none yet. */
    production: hex.default(generatePrivateKey),
    payer: hex,
    merchant: hex,
    /** The same four on Solana, in base58; worlds of before Solana have none yet. */
    solanaSigner: z.string().default(newSecretKey),
    solanaProduction: z.string().default(newSecretKey),
    solanaPayer: z.string().default(newSecretKey),
    solanaMerchant: z.string().default(newSecretKey),
    /** Is paid for credits; worlds of before agents have neither yet. */
    house: hex.default(generatePrivateKey),
    solanaHouse: z.string().default(newSecretKey),
  }),
  secrets: z.object({
    ...{ admin: z.string(), auth: z.string(), apiKey: z.string().optional() },
    /** What the dashboard shows the identity provider, and what that signs with; worlds of before merchants have none yet. */
    identityClient: z.string().default(newSecret),
    identityKey: signingKey.default(newSigningKey),
  }),
  chainState: z.string(),
  /** Absent in a world that never had a Base. */
  baseState: z.string().optional(),
  /** Absent in a world that never had a Solana. */
  solanaState: z.string().optional(),
  solanaDevnetState: z.string().optional(),
  database: z.string(),
  serviceLog: z.string(),
  running: z
    .object({
      ...{ pid: z.number(), since: z.number(), baseUrl: z.string(), merchantUrl: z.string() },
      /** The nodes by network; absent while they start. */
      nodes: z.record(z.string(), z.string()).optional(),
      /** Of the identity provider; absent while it starts. */
      issuer: z.string().optional(),
    })
    .optional(),
})

type Known = z.infer<typeof worldSchema>
/** What a local world remembers of itself between runs; its paths are below its folder. */
export type WorldRecord = Known & Record<LaterChain, string>
export type Running = NonNullable<Known['running']>

/** Where `npm run demo` and `npm run dev` keep their world. */
export const demoFolder = '.data/demo'

type LaterChain = 'baseState' | 'solanaState' | 'solanaDevnetState'
// Chains that worlds got one after the other: what they are called when one is lost, and their files.
const laterChains = [
  { part: 'Base chain', state: 'baseState', file: 'base.json' },
  { part: 'Solana chain', state: 'solanaState', file: 'solana.json' },
  { part: 'Solana devnet chain', state: 'solanaDevnetState', file: 'solana-devnet.json' },
] as const satisfies { part: string; state: LaterChain; file: string }[]
const startupMs = 180_000

/** Opens the folder of a local world: as it was, or new when it is empty or when one part of it is missing. */
export function openWorld(folder: string, say: (line: string) => void): WorldRecord {
  const known = readWorld(folder)
  const parts = { keys: known !== undefined, ...partsOf(folder, known) }
  const missing = Object.entries(parts).flatMap(([part, isThere]) => (isThere ? [] : [part]))
  const untouched = !Object.entries(parts).some(([part, isThere]) => isThere && part !== 'keys')
  if (known && (missing.length === 0 || untouched)) return complete(known)
  if (!untouched) {
    // The ledger and the chains tell one story: one without the others contradicts what comes next.
    const aside = `${folder}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    renameSync(folder, aside)
    say(`The kept world has lost its ${missing.join(' and ')}: starting a new one; the old one is now in ${aside}`)
  }
  const created = newWorld()
  writeWorld(folder, created)
  return created
}

/** What is known of the world in a folder, if there is one. */
export function readWorld(folder: string): Known | undefined {
  try {
    return worldSchema.parse(JSON.parse(readFileSync(join(folder, 'world.json'), 'utf8')))
  } catch {
    return undefined
  }
}

/** Writes the record so that only its owner can read the keys in it, and nobody ever sees half of it. */
export function writeWorld(folder: string, world: WorldRecord): void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'world.json')
  writeFileSync(`${file}.new`, `${JSON.stringify(world, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The run that owns this folder now: its process lives, and it answers or may still be starting. */
export async function findRunning(folder: string): Promise<Running | undefined> {
  const running = readWorld(folder)?.running
  if (!running || running.pid === process.pid || !isAlive(running.pid)) return undefined
  // After a reboot the number may belong to some other program.
  const answers = await fetch(running.merchantUrl, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  )
  return answers || Date.now() - running.since < startupMs ? running : undefined
}

// A chain that never was is not lost.
function partsOf(folder: string, known: Known | undefined): Record<string, boolean> {
  const chain = isJson(join(folder, known?.chainState ?? 'chain.json'))
  const later = laterChains.map(({ part, state, file }) => {
    const neverWas = known !== undefined && known[state] === undefined
    return [part, neverWas ? chain : isJson(join(folder, known?.[state] ?? file))]
  })
  return { chain, ...Object.fromEntries(later), database: existsSync(join(folder, known?.database ?? 'service')) }
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
  const parties = { payer: generatePrivateKey(), merchant: generatePrivateKey(), house: generatePrivateKey() }
  const solanaParties = { solanaPayer: newSecretKey(), solanaMerchant: newSecretKey(), solanaHouse: newSecretKey() }
  return complete({
    keys: { ...keys, ...parties, ...solanaKeys, ...solanaParties },
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
