import { route } from '@/server/app'
import { rotateWebhook } from '@/server/webhooks/endpoints'

export const POST = route(rotateWebhook)
