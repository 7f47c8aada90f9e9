import { route } from '@/server/app'
import { resendDelivery } from '@/server/webhooks/endpoints'

export const POST = route(resendDelivery)
