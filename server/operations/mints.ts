import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../base/log'
import { startLoop } from '../base/loop'
import type { SvmChain } from '../chains/svm/chain'
import { judgeMint, type MintFinding } from '../chains/svm/mints'
import type { Env } from '../env/env'
import { addMint, awaitMint, otherScale, withdrawMint } from '../x402/networks/mints'
import { networkRow, type SvmNetworkId } from '../x402/networks/networks'

/** A mint that the operator wants to serve. */
type WantedMint = { symbol: string; address: string }

/** A configured mint: served since its proof, refused with the reason, or not proven yet because no node answers. */
export type MintStatus = WantedMint & ({ status: 'checking' | 'served' } | { status: 'refused'; why: string })

/** The further mints of a cluster. */
export type Mints = { list: () => readonly MintStatus[]; stop: () => Promise<void> }

const RETRY_MS = 1_000
/** A start waits so long for the proofs; a silent node then delays only its own mints. */
const START_MS = 3_000

/** The mints that the environment names for a cluster. */
export function wantedMints(
  env: Pick<Env, 'SOLANA_MINTS' | 'SOLANA_DEVNET_MINTS'>,
  network: SvmNetworkId,
): readonly WantedMint[] {
  return networkRow(network).testnet ? env.SOLANA_DEVNET_MINTS : env.SOLANA_MINTS
}

/** Reads mints from the chain and judges each, in order. Throws when no node answers. */
export async function examineMints(chain: Pick<SvmChain, 'mints'>, wanted: readonly WantedMint[]): Promise<MintFinding[]> {
  const accounts = wanted.length > 0 ? await chain.mints(wanted.map(({ address }) => address)) : []
  // Figures add up all tokens of one symbol.
  return wanted.map(({ symbol }, at) => {
    const finding = judgeMint(accounts[at] ?? null)
    const other = 'fault' in finding ? null : otherScale({ symbol, decimals: finding.decimals })
    if (other === null || 'fault' in finding) return finding
    return { fault: `has ${finding.decimals} decimals, and ${symbol} on ${networkRow(other).title} has another number` }
  })
}

/**
 * Proves the mints of a cluster and makes those that pass known to the process, until `stop`. A mint that fails is refused until the next
 * start; the others are served. While no node answers, the proof is retried. Resolves after the first proof, or some seconds later
 * without one.
 */
export async function startMints(chain: SvmChain, wanted: readonly WantedMint[], log: Log): Promise<Mints> {
  const { network, title } = chain
  let statuses: readonly MintStatus[] = wanted.map((mint) => ({ ...mint, status: 'checking' }))
  let begun = () => {}
  const first = new Promise<void>((resolve) => {
    begun = resolve
  })
  for (const { address } of wanted) awaitMint(network, address)

  async function prove(): Promise<null> {
    try {
      const findings = await examineMints(chain, wanted)
      statuses = wanted.map((mint, at) => concluded(mint, findings[at]))
      return null
    } finally {
      begun()
    }
  }

  function concluded(mint: WantedMint, finding: MintFinding | undefined): MintStatus {
    const { symbol, address } = mint
    if (!finding || 'fault' in finding) {
      const why = finding?.fault ?? 'was not read'
      withdrawMint(network, address)
      log.error({ network, symbol, mint: address, why }, 'a mint is refused: payments in it are not accepted')
      return { ...mint, status: 'refused', why }
    }
    addMint(network, { ...mint, ...finding })
    log.info({ network, symbol, mint: address, ...finding }, 'a mint is served')
    return { ...mint, status: 'served' }
  }

  const proving = startLoop(
    prove,
    (error) => log.warn({ err: error, network }, `the mints on ${title} cannot be checked now; the check is repeated`),
    RETRY_MS,
  )
  await Promise.race([first, delay(START_MS, undefined, { ref: false })])
  return {
    list: () => statuses,
    async stop() {
      await proving.stop()
      for (const { address } of wanted) withdrawMint(network, address)
    },
  }
}
