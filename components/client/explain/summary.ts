import type { Check, Explanation } from '@/server/explain/checks'
import { networkTitle } from '@/server/x402/networks/networks'
import { wholeDate } from '../../ui/dates'
import { shortened } from '../../ui/shortened'
import { withoutScheme } from '../../ui/urls'

export type Tone = 'good' | 'bad' | 'warn' | 'plain'

/** The tone of a result and the line below its headline; null where the rest says it. */
export function summaryOf(answer: Explanation, failed: readonly Check[]): { tone: Tone; text: string | null } {
  const { kind, verdict, checks } = answer
  if (kind === 'unknown') return { tone: 'warn', text: checks[0]?.remedy ?? null }
  if (verdict.isValid) return { tone: 'good', text: 'All checks that ran passed.' }
  if (verdict.isValid === false) {
    const { invalidReason } = verdict
    const isSaid = failed.some(({ reason }) => reason === invalidReason)
    return { tone: 'bad', text: isSaid ? transfer(answer) : `Reason: ${invalidReason ?? 'unknown'}` }
  }
  if (kind === 'url') return { tone: 'plain', text: 'No URL is fetched here. Run the command and paste its output.' }
  const terms = kind === 'settlement' ? paid(answer) : asked(checks)
  if (failed.length > 0) return { tone: 'bad', text: terms }
  return checks.some(({ status }) => status === 'passed')
    ? { tone: 'good', text: terms ?? reachedText(checks) }
    : { tone: 'plain', text: 'The checks below show what is missing.' }
}

const writtenIn =
  ({ fields }: Explanation) =>
  (name: string) =>
    fields.find((field) => field.name === name)?.payment ?? ''

/** What a payment moves, from whom and to whom; null without these fields. */
function transfer(answer: Explanation): string | null {
  const [amount, payer, payTo] = ['amount', 'payer', 'payTo'].map(writtenIn(answer))
  if (!amount || !payer || !payTo) return null
  const on = answer.network === null ? '' : ` on ${networkTitle(answer.network)}`
  return briefly(`${amount}${on} from ${payer} to ${payTo}`)
}

/** The payment of a settlement; null without its fields. */
function paid(answer: Explanation): string | null {
  const written = writtenIn(answer)
  const [amount, resource, time] = [withoutUnits(written('amount')), withoutScheme(written('resource')), written('createdAt')]
  if (!amount || !time) return null
  return `${amount}${resource && ` for ${resource}`} on ${wholeDate(new Date(time), 'UTC')}`
}

/** What the first offer of a 402 response asks for; null where none can be read. Both versions repeat offers, so no count. */
function asked(checks: readonly Check[]): string | null {
  const offers = checks.filter(({ name }) => name.endsWith('.offer'))
  const first = offers.find(({ status }) => status === 'passed')
  if (!first) return null
  return offers.length > 1 ? `The first offer: ${briefly(first.evidence)}` : briefly(first.evidence)
}

/** How many checks ran, where all that ran passed. */
function reachedText(checks: readonly Check[]): string {
  const waiting = checks.filter(({ status }) => status === 'not_reached').length
  if (waiting === 0) return 'All checks passed.'
  return `${waiting === 1 ? 'One check needs' : `${waiting} checks need`} a payment or more fields. Each says what is missing.`
}

/** Without the atomic units that follow an amount in brackets: "0.02 USDC (20000)". */
export const withoutUnits = (text: string): string => text.replaceAll(/(\d \S+) \(\d+\)/g, '$1')

// An EVM or a Solana address.
const ADDRESS = /0x[\da-fA-F]{40}|\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g

const briefly = (text: string): string => withoutUnits(text).replaceAll(ADDRESS, shortened)
