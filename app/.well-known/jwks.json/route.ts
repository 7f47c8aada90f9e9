import { route } from '@/server/app'
import { getReceiptKeys } from '@/server/payments/endpoints'

export const GET = route(getReceiptKeys)
