import { route } from '@/server/app'
import { getSkill } from '@/server/discovery/endpoints'

export const GET = route(getSkill)
