import { route } from '@/server/app'
import { deleteChannel, getChannel, putChannel } from '@/server/payments/channels/endpoints'

export const GET = route(getChannel)
export const PUT = route(putChannel)
export const DELETE = route(deleteChannel)
