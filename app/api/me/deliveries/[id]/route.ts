import { route } from '@/server/app'
import { getDelivery } from '@/server/webhooks/endpoints'

export const GET = route(getDelivery)
