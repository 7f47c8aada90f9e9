import { bind } from '@/server/http/bind'
import { openApi } from '@/server/http/openapi/endpoints'

export const GET = bind(openApi)
