import { bind } from '@/server/app'
import { metrics } from '@/server/http/metrics'

export const GET = bind(metrics)
