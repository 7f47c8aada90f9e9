import { merchantAnalytics } from '@/server/analytics/endpoints'
import { bind } from '@/server/http/bind'

export const GET = bind(merchantAnalytics)
