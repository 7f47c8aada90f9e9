import { changeAgentConfig } from '@/server/agents/settings'
import { bind } from '@/server/http/bind'

export const PATCH = bind(changeAgentConfig)
