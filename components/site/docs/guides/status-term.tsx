import type { ReactNode } from 'react'
import { Status } from '../reference/status'
import { Term } from '../terms'

/** The standard names of the statuses that we answer (RFC 9110, RFC 6585). */
const NAMES = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
} as const

/** A status with its standard name, and when we answer it. */
export function StatusTerm({ status, children }: { status: keyof typeof NAMES; children: ReactNode }) {
  return (
    <Term
      name={
        <span className="flex items-baseline gap-2 text-[0.94rem]">
          <Status status={`${status}`} /> {NAMES[status]}
        </span>
      }
    >
      {children}
    </Term>
  )
}
