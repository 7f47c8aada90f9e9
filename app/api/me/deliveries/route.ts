import { route } from '@/server/app'
import { listDeliveries } from '@/server/webhooks/endpoints'

export const GET = route(listDeliveries)
