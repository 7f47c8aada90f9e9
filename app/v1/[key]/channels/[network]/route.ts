import { route } from '@/server/app'
import { listChannels } from '@/server/payments/channels/endpoints'

export const GET = route(listChannels)
