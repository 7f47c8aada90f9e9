import type { Operation } from '../http/openapi/operation'
import * as parameters from '../http/openapi/parameters'
import { refused } from '../http/openapi/responses'
import { healthAnswer, readiness } from './schemas'

const open = { method: 'GET', tag: 'Service', credentials: [], parameters: [] } as const

/** The endpoints of the service itself. */
export const service: readonly Operation[] = [
  {
    ...open,
    pattern: '/',
    id: 'goToOperator',
    title: 'The operator’s site',
    about: 'No part of the API: a redirect.',
    answers: { 307: { about: 'Go there.', headers: ['location'] } },
  },
  {
    ...open,
    pattern: '/health',
    id: 'getHealth',
    title: 'Is the process up?',
    about: 'Calls no other service, unless `ready=1` asks whether payments can be sent here now: for load balancers.',
    parameters: parameters.readiness,
    answers: {
      200: { about: 'It is.', schema: healthAnswer },
      503: { about: 'With `ready=1`: payments cannot be sent here now.', schema: readiness, headers: ['retry-after'] },
      ...refused(),
    },
  },
  {
    ...open,
    pattern: '/openapi.json',
    id: 'getOpenApi',
    title: 'This API, for programs',
    about: 'An OpenAPI 3.1 document.',
    answers: {
      200: { about: 'The document.', schema: { mediaType: 'application/json' }, headers: ['cache-control'] },
      ...refused(),
    },
  },
  {
    ...open,
    pattern: '/llms.txt',
    id: 'getLlmsText',
    title: 'This API, for agents',
    about: 'How an agent with a wallet buys credits, calls and checks its balance, in plain text.',
    answers: { 200: { about: 'The text.', schema: { mediaType: 'text/plain' }, headers: ['cache-control'] }, ...refused() },
  },
]
