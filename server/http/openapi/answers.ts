import type { z } from 'zod'
import { type RefusalMeaning, refusals } from '../refusals'
import { refusal } from '../schemas/refusal'
import { type HeaderName, QUOTA_HEADERS } from './headers'
import type { Answer, Answers, Status } from './operation'

type RefusedStatus = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 502 | 503

/** What each status of a refusal means where no word is told. */
const PLAIN: Record<RefusedStatus, Answer> = {
  400: { about: 'A parameter or a field cannot be read; `error` names it and says what was expected.' },
  401: { about: 'The credential is missing or not good; `error` says which rule it breaks.' },
  403: { about: 'Not with this plan or these settings.' },
  404: { about: 'There is no such thing, or it is not yours.' },
  409: { about: 'Not in the state that it is in.' },
  413: { about: 'The body is larger than 4 KB.' },
  429: { about: 'More requests per second than allowed.', headers: ['retry-after'] },
  500: { about: 'A fault of ours; quote the request id.' },
  502: { about: 'Nobody behind us answered.', headers: ['retry-after'] },
  503: { about: 'Not configured here, or not for the moment.', headers: ['retry-after'] },
}

/** Refusals with SPEC's error body; a 500 may always be one of them. */
export function refused(...statuses: RefusedStatus[]): Answers {
  return Object.fromEntries([...statuses, 500 as const].map((status) => [status, { ...PLAIN[status], schema: refusal }]))
}

const OUTCOME: readonly HeaderName[] = ['retry-after', 'x-settlement-id', ...QUOTA_HEADERS]

/** What a refusal of a payment may say in headers: what was taken before it, and when to come back. */
const PAYMENT_HEADERS: Partial<Record<Status, readonly HeaderName[]>> = {
  401: QUOTA_HEADERS,
  403: QUOTA_HEADERS,
  409: OUTCOME,
  429: OUTCOME,
  502: OUTCOME,
  503: OUTCOME,
}

/** Refusals of a payment, each with the words that it may have. */
export function refusedPayment(schema: z.ZodType, ...statuses: RefusedStatus[]): Answers {
  return Object.fromEntries(
    statuses.map((status) => {
      const headers = PAYMENT_HEADERS[status]
      return [status, { about: wordsOf(status), schema, ...(headers ? { headers } : {}) }]
    }),
  )
}

function wordsOf(status: RefusedStatus): string {
  const entries: [string, RefusalMeaning][] = Object.entries(refusals)
  const words = entries.filter(([, meaning]) => meaning.status.includes(status)).map(([word]) => `\`${word}\``)
  return `Nothing was done: ${words.join(', ')}.`
}
