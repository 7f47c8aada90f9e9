import { deleteAgentKey } from '@/server/agents/endpoints'
import { bind } from '@/server/http/bind'

export const DELETE = bind(deleteAgentKey)
