import { route } from '@/server/app'
import { createWebhook, listWebhooks } from '@/server/webhooks/endpoints'

export const POST = route(createWebhook)
export const GET = route(listWebhooks)
