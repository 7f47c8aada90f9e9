import { getBalance } from '@/server/agents/endpoints'
import { route } from '@/server/app'

export const GET = route(getBalance)
