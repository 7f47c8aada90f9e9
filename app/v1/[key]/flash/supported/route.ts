import { route } from '@/server/http/bind'
import { getSupported } from '@/server/payments/endpoints'

export const GET = route(getSupported.flash)
