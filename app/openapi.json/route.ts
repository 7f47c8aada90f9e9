import { bind } from '@/server/app'
import { openApi } from '@/server/http/openapi'

export const GET = bind(openApi)
