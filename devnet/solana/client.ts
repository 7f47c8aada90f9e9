import { z } from 'zod'
import { type ClusterName, clusters } from './clusters'
import { associatedAddress } from './tokens'

/** A way to a running chain. Addresses are base58; amounts are lamports or atomic units of USDC. */
export type SolanaClient = {
  url: string
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
}

/** Reads and steers a local chain that runs already, at that URL. */
export function connectSolana(cluster: ClusterName, url: string): SolanaClient {
  const { mint, network } = clusters[cluster]
  const steer = async (method: string, ...params: (string | number)[]): Promise<void> => {
    await call(url, method, params)
  }
  const place = async (method: string, ...params: string[]): Promise<string> => z.string().parse(await call(url, method, params))
  return {
    ...{ url, cluster, network, mint },
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
