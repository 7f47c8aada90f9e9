import { bind } from '@/server/app'
import { changeAgentConfig } from '@/server/http/opt-out'

export const PATCH = bind(changeAgentConfig)
