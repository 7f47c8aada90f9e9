import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { z } from 'zod'
import { ask } from './ask'
import type { Transfer } from './description'

/** A transaction for which one of these accounts paid the fee. */
export type Paid = { network: string; sponsor: string; txHash: string }

type Place = { network: string; rpcUrl: string; usdc: string; sponsors: readonly string[] }

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

/** Reads everything that these accounts have paid for on a cluster of Solana, and what it moved of the token. */
export async function readCluster(place: Place): Promise<{ transfers: Transfer[]; paid: Paid[] }> {
  const transfers: Transfer[] = []
  const paid: Paid[] = []
  const { network, rpcUrl } = place
  for (const sponsor of place.sponsors) {
    for (const signature of await signaturesOf(rpcUrl, sponsor)) {
      const config = { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 0 }
      const landed = transactionSchema.parse(await ask(rpcUrl, 'getTransaction', [signature, config]))
      const message = messageOf(landed.transaction[0])
      if (feePayerOf(message) !== sponsor) continue
      paid.push({ network, sponsor, txHash: signature })
      const moved = landed.meta.err === null ? movedIn(landed.meta, place.usdc) : null
      const nonce = `0x${createHash('sha256').update(message).digest('hex')}`
      if (moved) transfers.push({ network, ...moved, nonce, txHash: signature, sender: sponsor })
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

/** The signed bytes: what follows the signatures, of which there are fewer than 128. */
function messageOf(wire: string): Uint8Array {
  const bytes = Buffer.from(wire, 'base64')
  return bytes.subarray(1 + 64 * (bytes[0] ?? 0))
}

// The first key, behind a version (a byte with its highest bit set), three counts and the number of keys, fewer than 128.
function feePayerOf(message: Uint8Array): string {
  const start = ((message[0] ?? 0) & 0x80) === 0 ? 4 : 5
  return base58.encode(message.subarray(start, start + 32))
}

type Meta = z.infer<typeof transactionSchema>['meta']

/** Whose balance of the token fell, and whose rose by how much. */
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
