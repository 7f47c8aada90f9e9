import type { App } from '../../../server/app'
import { settle, verify } from '../../../server/payments/endpoints'
import { documented } from './documented'

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

let lastIp = 0

/** An IP address that no other test of this file uses, because the sandbox counts per address. */
export function freshIp(): string {
  lastIp++
  return `10.${(lastIp >> 16) & 255}.${(lastIp >> 8) & 255}.${lastIp & 255}`
}

const handlers = { settle: settle.sandbox, verify: verify.sandbox } as const

/** Posts a body to a sandbox route, with the headers that the HTTP server adds. */
export async function post(
  app: App,
  route: keyof typeof handlers,
  body: unknown,
  { ip = freshIp(), signal }: { ip?: string; signal?: AbortSignal } = {},
): Promise<Answer> {
  const request = new Request(`http://localhost/sandbox/${route}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-quittance-client-ip': ip, 'x-request-id': 'test' },
    ...(signal ? { signal } : {}),
  })
  const response = await handlers[route].handle(app, request)
  return documented(`POST /sandbox/${route}`, { status: response.status, headers: response.headers, body: await response.json() })
}
