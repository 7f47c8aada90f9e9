import { getAnalytics } from '@/server/analytics/endpoints'
import { route } from '@/server/http/bind'

export const GET = route(getAnalytics)
