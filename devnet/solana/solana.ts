import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import { spawnTied, stopChild } from '../child'
import { type ClusterName, clusters } from './clusters'
import type { ProgramOptions } from './options'
import { associatedAddress } from './tokens'

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

/** A running chain. Addresses are base58; amounts are lamports or atomic units of USDC. */
export type Solana = {
  url: string
  port: number
  pid: number
  cluster: ClusterName
  /** Its CAIP-2 id. */
  network: (typeof clusters)[ClusterName]['network']
  /** The address of USDC. */
  mint: string
  /** Adds lamports to an account, at once. */
  airdrop: (address: string, lamports: bigint) => Promise<void>
  setLamports: (address: string, lamports: bigint) => Promise<void>
  /** Opens the associated USDC account of an owner; resolves with its address. */
  openAccount: (owner: string) => Promise<string>
  /** Adds USDC to an owner, opening the associated account where needed; resolves with its address. */
  mintTo: (owner: string, amount: bigint) => Promise<string>
  balance: (address: string) => Promise<bigint>
  /** USDC in the associated account of an owner; 0 when there is none. */
  tokens: (owner: string) => Promise<bigint>
  /** Adds blocks now, whatever the slot time; transactions that wait are in the first. */
  advance: (blocks: number) => Promise<void>
  /** Makes no more blocks by itself; transactions wait. */
  freeze: () => Promise<void>
  resume: () => Promise<void>
  stop: () => Promise<void>
}

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
  const port = await listening(child, options)
  if (child.pid === undefined) throw new Error('the local Solana listens but has no process id')
  const url = `http://127.0.0.1:${port}`
  const { mint, network } = clusters[cluster]
  const steer = async (method: string, ...params: (string | number)[]): Promise<void> => {
    await call(url, method, params)
  }
  const place = async (method: string, ...params: string[]): Promise<string> => z.string().parse(await call(url, method, params))
  return {
    ...{ url, port, pid: child.pid, cluster, network, mint },
    airdrop: (address, lamports) => steer('local_airdrop', address, lamports.toString()),
    setLamports: (address, lamports) => steer('local_setLamports', address, lamports.toString()),
    openAccount: (owner) => place('local_openAccount', owner),
    mintTo: (owner, amount) => place('local_mintTo', owner, amount.toString()),
    balance: async (address) => BigInt(held.parse(await call(url, 'getBalance', [address])).value),
    tokens: async (owner) => {
      const [account] = accounts.parse(
        await call(url, 'getMultipleAccounts', [[await associatedAddress(owner, mint)], base64]),
      ).value
      return account ? Buffer.from(account.data[0], 'base64').readBigUInt64LE(64) : 0n
    },
    advance: (blocks) => steer('local_advance', blocks),
    freeze: () => steer('local_freeze'),
    resume: () => steer('local_resume'),
    stop: () => stopChild(child, 5_000),
  }
}

const base64 = { encoding: 'base64', commitment: 'processed' }
// Whole and exact, or refused: JSON's numbers are not made for more.
const held = z.object({ value: z.int() })
const accounts = z.object({ value: z.array(z.object({ data: z.tuple([z.string(), z.string()]) }).nullable()) })
const answered = z.object({ result: z.unknown(), error: z.object({ message: z.string() }).optional() })

async function call(url: string, method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = answered.parse(await response.json())
  if (error) throw new Error(`${method} was refused: ${error.message}`)
  return result
}

function listening(child: ChildProcess, options: ProgramOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = ''
    const read = (chunk: Buffer): void => {
      said += chunk.toString()
      const port = /Listening on \S+:(\d+)/.exec(said)?.[1]
      if (port === undefined) return
      child.stdout?.off('data', read).resume()
      child.stderr?.off('data', read).resume()
      resolve(Number(port))
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', reject)
    child.once('close', () => reject(new Error(whyNot(said, options))))
  })
}

function whyNot(said: string, { cluster, port }: ProgramOptions): string {
  const { title } = clusters[cluster]
  if (/EADDRINUSE/.test(said)) {
    return `Port ${port} is taken, so the local ${title} cannot listen on it; free it or choose another port (0 takes any free one).`
  }
  return said.trim() || `The local ${title} did not start: it ended without a word`
}
