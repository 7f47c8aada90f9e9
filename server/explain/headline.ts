import { reasonTitle } from '../x402/reasons/titles'
import type { Check, Findings } from './checks'
import { tellsCutOff } from './cut-off'
import { BESIDE } from './titles'

/** The result of an explanation in a few words. */
export function headlineOf({ kind, verdict, checks }: Findings): string {
  const failed = checks.filter(({ status }) => status === 'failed')
  const cut = failed.find(({ name, evidence }) => UNREAD.has(name) && tellsCutOff(evidence))
  if (cut) return cut.evidence.slice(0, -1)
  if (verdict.isValid) return 'Verify would accept this payment'
  if (verdict.isValid === false) return `Verify would refuse this payment: ${reasonTitle(verdict.invalidReason ?? '')}`
  const own = OF_KIND[kind]?.(checks)
  if (own) return own
  if (failed.length > 0) return failed.length === 1 ? 'One check failed' : `${failed.length} checks failed`
  return checks.every(({ status }) => status === 'not_reached') ? 'Nothing could be checked' : 'No check failed'
}

const UNREAD: ReadonlySet<string> = new Set(['content', 'format'])

/** Who can pay a 402 response, where all that its clients need was checked and holds; null else. */
function payable(checks: readonly Check[]): string | null {
  const holds = (name: string) => checks.some((check) => check.name === name && check.status === 'passed')
  if (checks.some(({ name, status }) => status !== 'passed' && !(status === 'not_reached' && BESIDE.test(name)))) return null
  if (holds('header') && holds('body')) return 'Clients can pay this'
  if (holds('header')) return 'Clients of x402 version 2 can pay this'
  return holds('body') ? 'Clients of x402 version 1 can pay this' : null
}

const OF_KIND: Partial<Record<Findings['kind'], (checks: readonly Check[]) => string | null>> = {
  unknown: () => 'This is not a payment',
  payment_required: payable,
  payment_requirements: (checks) => (payable(checks) ? 'Clients can pay this offer' : null),
  url: () => 'Paste the response of this URL',
  reason: (checks) => titleIn(checks),
  payment_response: (checks) => outcome(checks, 'The payment was settled', 'The payment was not settled'),
  verify_response: (checks) => outcome(checks, 'Verify accepted the payment', 'Verify refused the payment'),
  settlement: (checks) =>
    checks.some(({ name }) => name === 'outcome')
      ? outcome(checks, 'The payment was settled', 'The payment failed')
      : 'Not yours, or unknown here',
}

function outcome(checks: readonly Check[], good: string, bad: string): string {
  const first = checks.find(({ name }) => name === 'outcome')
  if (first?.status === 'failed') return [bad, titleIn([first])].filter(Boolean).join(': ')
  return first?.status === 'passed' ? good : 'No outcome yet'
}

const titleIn = (checks: readonly Check[]): string | null => {
  const reason = checks.find((check) => check.reason !== null)?.reason
  return reason ? reasonTitle(reason) : null
}
