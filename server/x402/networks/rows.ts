/** A token that we settle. Amounts of it are whole numbers of its smallest unit. */
export type Asset = { address: string; symbol: string; decimals: number }

/** A token of an EVM network; its address is lower case. */
export type EvmAsset = Asset & {
  address: `0x${string}`
  /** Its EIP-712 domain. */
  domain: { name: string; version: string }
  /** How payers sign a transfer: the token's own EIP-3009, or Permit2. */
  method: 'eip3009' | 'permit2'
  /** Whether it has EIP-2612 permits, with which a payer approves Permit2 without gas. */
  permits?: boolean
}

type Shared = {
  /** The name that x402 version 1 uses. */
  name: string
  title: string
  testnet: boolean
  /** `suffix` selects a cluster. */
  explorer: { name: string; url: string; suffix?: string } | null
  coin: { symbol: string; decimals: number }
}

/** The symbols of tokens that are worth a dollar. */
export const dollarSymbols: ReadonlySet<string> = new Set([
  'USDC',
  'USDC.e',
  'USDT',
  'USDT0',
  'USAT',
  'USDG',
  'SBC',
  'MegaUSD',
  'mUSD',
])

/** An EVM network. The first asset is what "$0.10" means there. */
export type EvmRow = Shared & {
  family: 'evm'
  chainId: number
  assets: readonly [EvmAsset, ...EvmAsset[]]
  /** Seconds between blocks, as expected. */
  blockSeconds: number
  /** Seconds until the network finalizes a block, as expected. */
  finalizedSeconds: number
  /** How a transaction names its price. */
  fees: 'eip1559' | 'legacy'
  /** What we offer on top of the base fee, wei per gas. */
  tip: bigint
  /** The most that a replacement of a stuck transaction may offer, wei per gas. */
  feeMax: bigint
  /** The contract of an OP stack that prices the data of a transaction on its L1; null without such a price. */
  l1FeeOracle: `0x${string}` | null
  /** Gas limits in percent of those of Base, for networks that price the same work higher. */
  gasPercent: number
  /** Gas on top per byte of a transaction, for networks that charge the price of L1 data as gas. */
  gasPerByte: number
  /** Blocks on top of a payment after which it is safe; null: FINALITY_DEPTH. */
  depth: number | null
  multicall: `0x${string}`
  /** The price of the coin in US dollars; absent: that of a known coin (`coin-prices.ts`). */
  coinUsd?: number
  /** The most gas of one owner's settlements a day there, in coins as decimal digits; absent: GAS_BUDGET_DAY. */
  gasBudgetDay?: string
  /** The most that one payer's own approval may cost us there, in coins as decimal digits; absent: SPONSORED_APPROVAL_MAX in ether. */
  sponsoredApprovalMax?: string
  /** The most that one settlement's gas may cost there, US dollars; absent: the usual. */
  gasMaxUsd?: number
  /** The minimum payment there where gas costs more than MIN_PAYMENT, in millionths of a whole token. */
  minPayment?: number
}

/** A token of a Solana cluster; its address is the mint. */
export type SvmAsset = Asset & {
  /** The token program that its mint belongs to. */
  program: string
}

/** A Solana cluster. */
export type SvmRow = Shared & { family: 'svm'; assets: readonly [SvmAsset, ...SvmAsset[]] }

export type NetworkRow = EvmRow | SvmRow

export type EvmNetworkId = `eip155:${number}`
export type SvmNetworkId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' | 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
/** The CAIP-2 id of a network that this process serves or could serve. */
export type NetworkId = EvmNetworkId | SvmNetworkId

const ether = { symbol: 'ETH', decimals: 18 } as const

/** Multicall3 has this address on nearly every network. */
export const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'

/** What most EVM networks have in common; Base orders by tip but is rarely full, and its wallets offer 0.001 gwei. */
export const USUAL = {
  family: 'evm',
  testnet: false,
  coin: ether,
  fees: 'eip1559',
  tip: 1_000_000n,
  feeMax: 100_000_000_000n,
  l1FeeOracle: null,
  gasPercent: 100,
  gasPerByte: 0,
  multicall: MULTICALL,
} as const
