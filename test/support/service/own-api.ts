import { changeKey, createOwnKey, getKey, listKeys, revokeKey, rotateOwn } from '../../../server/accounts/own-endpoints'
import type { App } from '../../../server/app'
import {
  changeWebhook,
  createWebhook,
  getDelivery,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  resendDelivery,
  rotateWebhook,
  testWebhook,
} from '../../../server/webhooks/endpoints'
import { asked, documentedAnswer } from './history'

const handlers = {
  'POST /api/me/keys': createOwnKey,
  'GET /api/me/keys': listKeys,
  'GET /api/me/keys/:id': getKey,
  'PATCH /api/me/keys/:id': changeKey,
  'DELETE /api/me/keys/:id': revokeKey,
  'POST /api/me/keys/:id/rotate': rotateOwn,
  'POST /api/me/webhooks': createWebhook,
  'GET /api/me/webhooks': listWebhooks,
  'PATCH /api/me/webhooks/:id': changeWebhook,
  'DELETE /api/me/webhooks/:id': removeWebhook,
  'POST /api/me/webhooks/:id/rotate': rotateWebhook,
  'POST /api/me/webhooks/:id/test': testWebhook,
  'GET /api/me/deliveries': listDeliveries,
  'GET /api/me/deliveries/:id': getDelivery,
  'POST /api/me/deliveries/:id/resend': resendDelivery,
} as const

/** Calls about the keys and webhooks of the account that these headers prove, each from another address. */
export const askingOwn =
  (app: App, headers: Record<string, string>) =>
  async (what: keyof typeof handlers, { id, body, query = '' }: { id?: unknown; body?: object; query?: string } = {}) => {
    const [method = '', path = ''] = what.split(' ')
    const request = asked(`${path.replace(':id', String(id))}${query}`, { method, headers, body })
    const answer = await documentedAnswer(what, handlers[what].handle(app, request, id === undefined ? {} : { id: String(id) }))
    return { status: answer.status, body: Object(answer.body) }
  }
