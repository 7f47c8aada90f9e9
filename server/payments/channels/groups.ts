import { type Hex, zeroAddress } from 'viem'
import { isTooLarge } from '../../chains/evm/transactions'
import type { EvmNetworkId } from '../../x402/networks/networks'
import type { ClaimRow } from '../../x402/schemes/batch-settlement/channel'
import { claimOf, type Row } from './claims'
import type { RevertedClaims } from './reverted'

const SIGNATURE_OF_KEY: Hex = `0x${'ff'.repeat(65)}`

/**
 * Rows in groups, each for a claim of its own, because a claim fails as a whole: of one authorizer; those that code decides apart from those
 * of keys; those of a claim that reverted in halves of it, until each is alone. Each group fits in one transaction.
 */
export function groupsOf(
  network: EvmNetworkId,
  rows: readonly Row[],
  reverted: ReadonlyMap<string, RevertedClaims>,
): ClaimRow[][] {
  const groups = new Map<string, Row[][]>()
  for (const row of rows) {
    const { receiverAuthorizer, payerAuthorizer } = row.channel
    const fewest = reverted.get(row.id)?.fewest
    const most = fewest === undefined ? Number.POSITIVE_INFINITY : Math.max(1, fewest >> 1)
    const name = `${receiverAuthorizer} ${payerAuthorizer === zeroAddress} ${most}`
    const parts = groups.get(name) ?? []
    groups.set(name, parts)
    const last = parts.at(-1)
    const grown = last && last.length < most ? [...last, row] : null
    if (last && grown && fits(network, grown)) last.push(row)
    else parts.push([row])
  }
  return [...groups.values()].flat()
}

const fits = (network: EvmNetworkId, rows: readonly Row[]): boolean =>
  !isTooLarge(network, claimOf(network, rows, { signature: SIGNATURE_OF_KEY, signedHere: true, before: new Map() }).transfer)
