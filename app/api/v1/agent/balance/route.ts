import { bind } from '@/server/app'
import { agentBalance } from '@/server/http/agent'

export const GET = bind(agentBalance)
