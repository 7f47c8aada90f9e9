import { route } from '@/server/app'
import { listMerchantHistory } from '@/server/history/endpoints'

export const GET = route(listMerchantHistory)
