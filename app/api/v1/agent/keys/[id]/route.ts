import { bind } from '@/server/app'
import { deleteAgentKey } from '@/server/http/agent'

export const DELETE = bind(deleteAgentKey)
