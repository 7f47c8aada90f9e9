import { route } from '@/server/http/bind'
import { getOpenApi } from '@/server/operations/endpoints'

export const GET = route(getOpenApi)
