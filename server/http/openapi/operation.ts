import type { z } from 'zod'
import type { CredentialName } from './credentials'
import type { HeaderName } from './headers'
import type { Parameter } from './parameters'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type Status = 200 | 201 | 202 | 304 | 307 | 400 | 401 | 402 | 403 | 404 | 409 | 413 | 429 | 500 | 502 | 503

/** An answer of one status. Without a schema it has no body; a text has the media type that it names. */
export type Answer = {
  about: string
  schema?: z.ZodType | { mediaType: string }
  headers?: readonly HeaderName[]
}

export type Answers = Partial<Record<Status, Answer>>

/** One method of one address, as the document and the reference tell it. */
export type Operation = {
  /** As in server/http/routes.ts. */
  pattern: string
  method: Method
  /** Its name in generated clients, unique. */
  id: string
  tag: TagName
  title: string
  about: string
  /** Any one of them opens it; none for everybody. */
  credentials: readonly CredentialName[]
  parameters: readonly Parameter[]
  body?: { schema: z.ZodType; required: boolean }
  answers: Answers
  /** How the reference tells it together with its like: the address, such as `{prefix}/settle`, and the title for all of them. */
  shownAs?: { address: string; title: string }
}

/** The chapters of the reference. */
export const tags = {
  Payments: 'What a merchant’s server asks about a payment: is it good, settle it, what became of it.',
  Discovery: 'What can be bought: resources that were paid for through this facilitator and declare themselves.',
  Agents: 'What an agent does with a wallet and without anybody’s leave: buy credits, see what is left, keep its keys.',
  'Sign-in': 'A wallet signs a message and gets a session.',
  History: 'What was settled, for merchants, payers, agents and the operator.',
  Analytics: 'Sums of finished days.',
  Settings: 'What owners of keys decide themselves.',
  Admin: 'What the operator does with tenants and their keys.',
  Service: 'The service itself and its documentation.',
} as const satisfies Record<string, string>

export type TagName = keyof typeof tags
