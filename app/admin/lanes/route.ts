import { route } from '@/server/app'
import { listLanes } from '@/server/operations/endpoints'

export const GET = route(listLanes)
