import { route } from '@/server/app'
import { testWebhook } from '@/server/webhooks/endpoints'

export const POST = route(testWebhook)
