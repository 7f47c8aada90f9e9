import { revokeAgentKey } from '@/server/agents/endpoints'
import { route } from '@/server/app'

export const DELETE = route(revokeAgentKey)
