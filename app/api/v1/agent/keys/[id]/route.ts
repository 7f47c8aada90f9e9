import { revokeAgentKey } from '@/server/agents/endpoints'
import { route } from '@/server/http/bind'

export const DELETE = route(revokeAgentKey)
