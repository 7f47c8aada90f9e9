import { route } from '@/server/http/bind'
import { getHealth } from '@/server/operations/endpoints'

export const GET = route(getHealth)
