import { isNetworkId, networks } from '@/server/x402/networks'

/** A settlement as the history routes tell it. */
export type Entry = {
  created_at: string
  success: boolean
  tx_hash: string
  network: string
  payer_amount: string
  tenant_id: string
  payer: string
  resource: string
  pay_to: string
  plan: string
  error_reason: string | null
  agents?: { token_id: string; name: string | null; url: string }[]
}

export type Page = { settlements: Entry[]; cursor: string; has_more: boolean }

const EXPLORERS: Record<string, (hash: string) => string> = {
  'eip155:8453': (hash) => `https://basescan.org/tx/${hash}`,
  'eip155:84532': (hash) => `https://sepolia.basescan.org/tx/${hash}`,
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': (hash) => `https://explorer.solana.com/tx/${hash}`,
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': (hash) => `https://explorer.solana.com/tx/${hash}?cluster=devnet`,
}

/** Where a transaction can be looked at; undefined where there is none. */
export function explorerOf({ network, tx_hash }: Entry): string | undefined {
  return tx_hash === '' ? undefined : EXPLORERS[network]?.(tx_hash)
}

/** A network as people call it. */
export function titleOf(network: string): string {
  return isNetworkId(network) ? networks[network].title : network
}

/** Atomic units of a token of 6 decimals as people read them, exactly: "1000" is "0.001". */
export function amountOf(atomic: string): string {
  const digits = atomic.padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  return fraction ? `${digits.slice(0, -6)}.${fraction}` : digits.slice(0, -6)
}

/** The two ends of a long address or hash. */
export function shortened(text: string): string {
  return text.length > 16 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text
}
