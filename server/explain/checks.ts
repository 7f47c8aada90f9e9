import { errorCatalog } from '../http/documented-codes'
import { naming, remedies } from '../x402/reasons/remedies'
import type { Kind } from './recognize'
import { titleOf } from './titles'
import { sentence } from './units'

/** One check of what was pasted. `evidence`: what was found, in words and numbers; `remedy`: what to do, and who must do it. */
export type Check = {
  name: string
  title: string
  status: 'passed' | 'failed' | 'not_reached'
  reason: string | null
  evidence: string
  remedy: string | null
}

/** A field of a payment beside what was required of it; null where a side does not name it. */
export type Field = { name: string; payment: string | null; requirements: string | null }

/** What verify would answer; null where there is no payment to judge. */
export type Verdict = { isValid: boolean | null; invalidReason: string | null }

export type Explanation = {
  kind: Kind
  /** The result in a few words. */
  headline: string
  x402Version: 1 | 2 | null
  scheme: string | null
  network: string | null
  fields: Field[]
  checks: Check[]
  verdict: Verdict
}

/** An explanation before its headline. */
export type Findings = Omit<Explanation, 'headline'>

export const NO_VERDICT: Verdict = { isValid: null, invalidReason: null }

/** A check that holds. */
export function passed(name: string, evidence: string): Check {
  return { name, title: titleOf(name), status: 'passed', reason: null, evidence, remedy: null }
}

/** A check that does not hold. Its remedy is that of its reason unless another is named; each has one. */
export function failed(name: string, reason: string | null, evidence: string, remedy: string = remedyOf(reason)): Check {
  return { name, title: titleOf(name), status: 'failed', reason, evidence, remedy }
}

/** A check that was not made; the evidence says why. */
export function notReached(name: string, evidence: string, remedy: string | null = null): Check {
  return { name, title: titleOf(name), status: 'not_reached', reason: null, evidence, remedy }
}

/** The checks of a payment of a token: their remedies name it. */
export function withToken(symbol: string, checks: readonly Check[]): Check[] {
  return checks.map((check) => (check.remedy === null ? check : { ...check, remedy: naming(symbol, check.remedy) }))
}

// A code of both lists has the remedy of a failed judgement: nothing is refused here.
const remedyTexts: Record<string, string | undefined> = {
  ...Object.fromEntries(errorCatalog.map(({ code, remedy }) => [code, remedy])),
  ...remedies,
}

const MEND = 'Fix what is named here, then try again.'

function remedyOf(reason: string | null): string {
  return (reason === null ? undefined : remedyTexts[reason]) ?? MEND
}

/** How one rule of the judge was kept: `fault` null is kept. */
export type Reading = { name: string; needs?: string | undefined; fault: { reason: string; message: string } | null }

/** The checks of rules in their order. A rule that needs a broken one is not reached: it would repeat the same fault. */
export function checksOf(readings: readonly Reading[], evidenceOf: (name: string) => string | null): Check[] {
  const broken = new Set<string>()
  return readings.map(({ name, needs, fault }) => {
    if (needs !== undefined && broken.has(needs)) {
      broken.add(name)
      return notReached(name, `It depends on the check "${titleOf(needs)}", which failed.`)
    }
    const evidence = evidenceOf(name)
    if (!fault) return passed(name, evidence ?? 'It holds.')
    broken.add(name)
    return failed(name, fault.reason, [sentence(fault.message), evidence].filter(Boolean).join(' '))
  })
}

/** These checks as not reached. */
export function noneReached(names: readonly string[], why: string): Check[] {
  return names.map((name) => notReached(name, why))
}
