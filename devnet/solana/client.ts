import { z } from 'zod'
import { type ClusterName, clusters } from './clusters'
import { associatedAddress } from './tokens'

/** A client of a running local chain. Addresses are base58; amounts are lamports or atomic units of USDC. */
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
  /** Adds USDC to an owner's associated account, opened if needed; resolves with its address. */
  mintTo: (owner: string, amount: bigint) => Promise<string>
  balance: (address: string) => Promise<bigint>
  /** USDC in the associated account of an owner; 0 when there is none. */
  tokens: (owner: string) => Promise<bigint>
  /** Adds blocks now; pending transactions are in the first. */
  advance: (blocks: number) => Promise<void>
  /** Lets the chain's clock run so many seconds ahead of the machine's. */
  runAhead: (seconds: number) => Promise<void>
  /** Stops making blocks; transactions stay pending. */
  freeze: () => Promise<void>
  resume: () => Promise<void>
}

/** A client of the local chain at a URL. */
export function connectSolana(cluster: ClusterName, url: string): SolanaClient {
  const { mint, network } = clusters[cluster]
  const steer = async (method: string, ...params: (string | number)[]): Promise<void> => {
    await call(url, method, params)
  }
  const account = async (method: string, ...params: string[]): Promise<string> =>
    z.string().parse(await call(url, method, params))
  return {
    url,
    cluster,
    network,
    mint,
    airdrop: (address, lamports) => steer('local_airdrop', address, lamports.toString()),
    setLamports: (address, lamports) => steer('local_setLamports', address, lamports.toString()),
    openAccount: (owner) => account('local_openAccount', owner),
    mintTo: (owner, amount) => account('local_mintTo', owner, amount.toString()),
    balance: async (address) => BigInt(held.parse(await call(url, 'getBalance', [address])).value),
    tokens: async (owner) => {
      const [account] = accounts.parse(
        await call(url, 'getMultipleAccounts', [[await associatedAddress(owner, mint)], base64]),
      ).value
      return account ? Buffer.from(account.data[0], 'base64').readBigUInt64LE(64) : 0n
    },
    advance: (blocks) => steer('local_advance', blocks),
    runAhead: (seconds) => steer('local_runAhead', seconds),
    freeze: () => steer('local_freeze'),
    resume: () => steer('local_resume'),
  }
}

const base64 = { encoding: 'base64', commitment: 'processed' }
// A JSON number above 2^53 would lose digits, so it is refused.
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
