import { route } from '@/server/app'
import { getHealth } from '@/server/operations/endpoints'

export const GET = route(getHealth)
