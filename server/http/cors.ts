import type { ServerResponse } from 'node:http'
import type { ApiRoute } from './route-table'
import { allowedMethods } from './route-table'

const ALLOWED_HEADERS = [
  'content-type',
  'x-payment',
  'payment-signature',
  'idempotency-key',
  'authorization',
  'x-request-id',
  'x-siwe-message',
  'x-siwe-signature',
  'mcp-protocol-version',
  // The official client sets this response header on its requests.
  'access-control-expose-headers',
].join(', ')

const EXPOSED_HEADERS = [
  'x-request-id',
  'x-settlement-id',
  'x-settlement-remaining',
  'x-verification-remaining',
  'x-quota-limit',
  'x-quota-reset',
  'retry-after',
  'idempotent-replayed',
  'extension-responses',
  'payment-response',
  'x-payment-response',
  'payment-required',
  'etag',
].join(', ')

/** Lets scripts of any website read the responses of an open route. `*` is safe, because open routes ignore cookies. */
export function openToWebsites(res: ServerResponse): void {
  res.setHeader('access-control-allow-origin', '*')
  res.setHeader('access-control-expose-headers', EXPOSED_HEADERS)
}

/** Answers OPTIONS with the methods of the route and, for open routes, the CORS preflight headers. */
export function answerOptions(res: ServerResponse, route: ApiRoute): void {
  const allow = allowedMethods(route)
  res.setHeader('allow', allow)
  if (route.cors === 'open') {
    res.setHeader('access-control-allow-methods', allow)
    res.setHeader('access-control-allow-headers', ALLOWED_HEADERS)
    res.setHeader('access-control-max-age', '86400')
  }
  res.writeHead(204).end()
}
