import { getBalance } from '@/server/agents/endpoints'
import { route } from '@/server/http/bind'

export const GET = route(getBalance)
