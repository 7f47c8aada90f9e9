import { reasons } from '../../../server/x402/reasons/reasons'
import type { Difference } from './differences'
import type { Verdict } from './verdicts'

// The order in which the official facilitator checks the reasons.
const ORDER: readonly string[] = Object.keys(reasons)

/** Our verdict on a payment of a plan, and the official one. */
export type BothVerdicts<Plan> = (plan: Plan) => Promise<[Verdict, Verdict]>

/** The rows of a table that explain two different verdicts. */
export function explaining<Plan extends { version: 1 | 2 }>(
  table: Difference<Plan>[],
  plan: Plan,
  ours: Verdict,
  theirs: Verdict,
): Difference<Plan>[] {
  return table.filter(({ needs, version = plan.version, ...row }) => {
    const fits = row.ours === ours && version === plan.version && (needs?.(plan) ?? true)
    return fits && (row.official === theirs || (VAGUE[row.official]?.(ours, theirs) ?? false))
  })
}

/** Returns our verdict. Throws if the verdicts (ours first) differ and no row of the table explains it. */
export async function explained<Plan extends { version: 1 | 2 }>(
  verdictsOf: BothVerdicts<Plan>,
  table: Difference<Plan>[],
  plan: Plan,
): Promise<Verdict> {
  const [ours, theirs] = await verdictsOf(plan)
  if (ours === theirs || explaining(table, plan, ours, theirs).length > 0) return ours
  throw new Error(`we say "${ours}", the official facilitator says "${theirs}"`)
}

/** The verdicts that the official settle derives from a node's message about a transfer. */
const BY_NODE: readonly Verdict[] = [
  'a sentence',
  'invalid_exact_evm_signature',
  'invalid_exact_evm_nonce_already_used',
  'invalid_exact_evm_insufficient_balance',
  'invalid_exact_evm_transaction_failed',
]

const VAGUE: Record<string, (ours: Verdict, theirs: Verdict) => boolean> = {
  'goes on': (ours, theirs) => theirs === 'valid' || ORDER.indexOf(theirs) > ORDER.indexOf(ours) || isRefusal(ours),
  'what its node says': (_, theirs) => BY_NODE.includes(theirs),
}

// We refuse before we verify, so the official facilitator may find any other fault of the payment.
const isRefusal = (verdict: Verdict) => /^4\d\d /.test(verdict)

/** Each row once per x402 version in which it holds. */
export function inVersions<Plan>(table: Difference<Plan>[]): (Difference<Plan> & { version: 1 | 2 })[] {
  const all = table.flatMap((row) => ([1, 2] as const).map((version) => ({ row, version })))
  return all.filter(({ row, version }) => (row.version ?? version) === version).map(({ row, version }) => ({ ...row, version }))
}

/** The table in the documentation's form: one line for each official verdict and reason, with every verdict of ours that goes with them. */
export function tableOf<Plan>(chain: string, table: Difference<Plan>[]): string[] {
  const lines = table.map(({ official, why, version }) => {
    const alike = table.filter((row) => row.official === official && row.why === why && row.version === version)
    const ours = [...new Set(alike.map((row) => `\`${row.ours}\``))].join(', ')
    const said = official === 'throws' || Object.hasOwn(VAGUE, official) ? official : `\`${official}\``
    return `| ${chain}${version ? `, v${version}` : ''} | ${ours} | ${said} | ${why} |`
  })
  return [...new Set(lines)]
}
