import { route } from '@/server/app'
import { changeWebhook, removeWebhook } from '@/server/webhooks/endpoints'

export const PATCH = route(changeWebhook)
export const DELETE = route(removeWebhook)
