import { changeAgentConfig } from '@/server/agents/endpoints'
import { route } from '@/server/http/bind'

export const PATCH = route(changeAgentConfig)
