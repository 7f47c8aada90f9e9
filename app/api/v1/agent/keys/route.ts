import { createAgentKey } from '@/server/agents/endpoints'
import { route } from '@/server/app'

export const POST = route(createAgentKey)
