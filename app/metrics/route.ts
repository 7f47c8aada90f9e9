import { route } from '@/server/app'
import { getMetrics } from '@/server/operations/endpoints'

export const GET = route(getMetrics)
