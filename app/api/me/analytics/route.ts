import { getMerchantAnalytics } from '@/server/analytics/endpoints'
import { route } from '@/server/app'

export const GET = route(getMerchantAnalytics)
