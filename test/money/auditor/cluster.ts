import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { z } from 'zod'
import { ask } from './ask'
import type { Transfer } from './description'

/** A transaction whose fee one of these accounts paid. */
export type Paid = { network: string; sponsor: string; txHash: string }

type ClusterPart = { network: string; rpcUrl: string; usdc: string; sponsors: readonly string[] }

const PAGE = 1_000

const signaturesSchema = z.array(z.object({ signature: z.string() }))
const balancesSchema = z.array(
  z.object({
    mint: z.string(),
    owner: z.string(),
    uiTokenAmount: z.object({ amount: z.string().transform(BigInt) }),
  }),
)
const transactionSchema = z.object({
  transaction: z.tuple([z.string(), z.literal('base64')]),
  meta: z.object({ err: z.unknown(), preTokenBalances: balancesSchema, postTokenBalances: balancesSchema }),
})

/** Reads every transaction that these accounts paid for on a Solana cluster, and its token transfers. */
export async function readCluster(part: ClusterPart): Promise<{ transfers: Transfer[]; paid: Paid[] }> {
  const transfers: Transfer[] = []
  const paid: Paid[] = []
  const { network, rpcUrl } = part
  for (const sponsor of part.sponsors) {
    for (const signature of await signaturesOf(rpcUrl, sponsor)) {
      const config = { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 0 }
      const landed = transactionSchema.parse(await ask(rpcUrl, 'getTransaction', [signature, config]))
      const message = messageOf(landed.transaction[0])
      if (feePayerOf(message) !== sponsor) continue
      paid.push({ network, sponsor, txHash: signature })
      const moved = landed.meta.err === null ? movedIn(landed.meta, part.usdc) : null
      const nonce = `0x${createHash('sha256').update(message).digest('hex')}`
      if (moved) transfers.push({ network, ...moved, asset: part.usdc, nonce, txHash: signature, sender: sponsor })
    }
  }
  return { transfers, paid }
}

async function signaturesOf(rpcUrl: string, account: string): Promise<string[]> {
  const found: string[] = []
  for (;;) {
    const config = { commitment: 'confirmed', limit: PAGE, before: found.at(-1) ?? null }
    const page = signaturesSchema.parse(await ask(rpcUrl, 'getSignaturesForAddress', [account, config]))
    found.push(...page.map(({ signature }) => signature))
    if (page.length < PAGE) return found
  }
}

/** The message: the bytes after the signatures, of which there are fewer than 128. */
function messageOf(wire: string): Uint8Array {
  const bytes = Buffer.from(wire, 'base64')
  return bytes.subarray(1 + 64 * (bytes[0] ?? 0))
}

// The first key. Before it: a version byte (highest bit set), three counts, and the number of keys, below 128.
function feePayerOf(message: Uint8Array): string {
  const start = ((message[0] ?? 0) & 0x80) === 0 ? 4 : 5
  return base58.encode(message.subarray(start, start + 32))
}

type Meta = z.infer<typeof transactionSchema>['meta']

/** The owner whose token balance fell, and the owner whose balance rose, with the amount. */
function movedIn({ preTokenBalances, postTokenBalances }: Meta, usdc: string) {
  const change = new Map<string, bigint>()
  const add = (balances: Meta['preTokenBalances'], sign: bigint) => {
    for (const { mint, owner, uiTokenAmount } of balances)
      if (mint === usdc) change.set(owner, (change.get(owner) ?? 0n) + sign * uiTokenAmount.amount)
  }
  add(preTokenBalances, -1n)
  add(postTokenBalances, 1n)
  const [payer] = [...change].find(([, by]) => by < 0n) ?? []
  const [payTo, value] = [...change].find(([, by]) => by > 0n) ?? []
  return payer && payTo && value ? { payer, payTo, value } : null
}
