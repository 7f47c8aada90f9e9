import { createAgentKey } from '@/server/agents/endpoints'
import { route } from '@/server/http/bind'

export const POST = route(createAgentKey)
