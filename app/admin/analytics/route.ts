import { bind } from '@/server/app'
import { adminAnalytics } from '@/server/http/analytics'

export const GET = bind(adminAnalytics)
