import { route } from '@/server/app'
import { callMcp } from '@/server/mcp/endpoints'

export const POST = route(callMcp)
