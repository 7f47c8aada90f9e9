import { newAgentKey } from '@/server/agents/endpoints'
import { bind } from '@/server/http/bind'

export const POST = bind(newAgentKey)
