import { route } from '@/server/app'
import { getStatus } from '@/server/operations/status/endpoints'

export const GET = route(getStatus)
