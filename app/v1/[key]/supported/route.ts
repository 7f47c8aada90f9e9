import { route } from '@/server/app'
import { getSupported } from '@/server/payments/endpoints'

export const GET = route(getSupported.v1)
