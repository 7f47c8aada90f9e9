import { bind } from '@/server/app'
import { merchantAnalytics } from '@/server/http/analytics'

export const GET = bind(merchantAnalytics)
