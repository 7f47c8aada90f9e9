import { route } from '@/server/app'
import { listAgentHistory } from '@/server/history/endpoints'

export const GET = route(listAgentHistory)
