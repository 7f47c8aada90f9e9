import { bind } from '@/server/app'
import { newAgentKey } from '@/server/http/agent'

export const POST = bind(newAgentKey)
