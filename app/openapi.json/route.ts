import { route } from '@/server/app'
import { getOpenApi } from '@/server/operations/endpoints'

export const GET = route(getOpenApi)
