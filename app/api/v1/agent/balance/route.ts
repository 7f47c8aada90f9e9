import { agentBalance } from '@/server/agents/endpoints'
import { bind } from '@/server/http/bind'

export const GET = bind(agentBalance)
