import { route } from '@/server/app'
import { getSigners } from '@/server/payments/endpoints'

export const GET = route(getSigners)
