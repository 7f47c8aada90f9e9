import { titled } from '../../ui/badge'

/** What a merchant asks the operator for. */
export type PlanRequest = { subject: string; text: string }

type Asked = { name: string; prefix: string | null; plan: string; wanted: string | null }

/** The request to move a key to another plan, or for more than its plan gives. It has the prefix of the key, by which operators find it. */
export function requestFor({ name, prefix, plan, wanted }: Asked): PlanRequest {
  const key = `the API key “${name}”${prefix === null ? '' : ` (${prefix}…)`}`
  const text = wanted
    ? `Please move ${key} from ${titled(plan)} to ${titled(wanted)}.`
    : `Please raise the limits of ${key} above ${titled(plan)}.`
  return { subject: wanted ? `Plan ${titled(wanted)}` : `More than ${titled(plan)}`, text }
}

/** A contact by mail with the request filled in; null for one by the web. */
export function mailOf(contact: string, { subject, text }: PlanRequest): string | null {
  if (!contact.startsWith('mailto:')) return null
  const joint = contact.includes('?') ? '&' : '?'
  // Mail programs show the plus signs of URLSearchParams.
  return `${contact}${joint}subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`
}
