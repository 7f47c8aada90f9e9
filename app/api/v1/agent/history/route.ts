import { bind } from '@/server/app'
import { agentHistory } from '@/server/http/history'

export const GET = bind(agentHistory)
