import { changeAgentConfig } from '@/server/agents/endpoints'
import { route } from '@/server/app'

export const PATCH = route(changeAgentConfig)
