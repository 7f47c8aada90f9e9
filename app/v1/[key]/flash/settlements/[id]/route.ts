import { route } from '@/server/app'
import { getSettlements } from '@/server/payments/endpoints'

export const GET = route(getSettlements.flash)
