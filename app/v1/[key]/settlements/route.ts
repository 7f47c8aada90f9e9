import { route } from '@/server/app'
import { findSettlements } from '@/server/payments/endpoints'

export const GET = route(findSettlements.v1)
