import { bind } from '@/server/http/bind'
import { metrics } from '@/server/operations/endpoints'

export const GET = bind(metrics)
