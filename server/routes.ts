import { GET as health } from '../app/health/route'
import { GET as root } from '../app/route'
import { POST as sandboxSettle } from '../app/sandbox/settle/route'
import { GET as sandboxSupported } from '../app/sandbox/supported/route'
import { POST as sandboxVerify } from '../app/sandbox/verify/route'
import { GET as supported } from '../app/supported/route'
import type { ApiRoute } from './door/api-route'
import { DEFAULT_BODY_LIMIT, PAYMENT_BODY_LIMIT } from './http/body'

const open = { cors: 'open', bodyLimit: DEFAULT_BODY_LIMIT } as const
const payment = { cors: 'open', bodyLimit: PAYMENT_BODY_LIMIT } as const

/**
 * Every address of the API. The door calls the handlers named here itself, because a request costs Next ten times as much; `next` stands
 * for the others. This is the one file below `app/` that knows its route modules.
 */
export const routes: ApiRoute[] = [
  { pattern: '/', methods: { GET: root }, ...open },
  { pattern: '/health', methods: { GET: health }, ...open },
  { pattern: '/supported', methods: { GET: supported }, ...open },
  { pattern: '/sandbox/supported', methods: { GET: sandboxSupported }, ...open },
  { pattern: '/sandbox/verify', methods: { POST: sandboxVerify }, ...payment },
  { pattern: '/sandbox/settle', methods: { POST: sandboxSettle }, ...payment },
]
