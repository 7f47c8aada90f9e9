import { route } from '@/server/http/bind'
import { getSettlements } from '@/server/payments/endpoints'

export const GET = route(getSettlements.v1)
