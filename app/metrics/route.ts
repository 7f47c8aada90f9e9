import { route } from '@/server/http/bind'
import { getMetrics } from '@/server/operations/endpoints'

export const GET = route(getMetrics)
