import { route } from '@/server/http/bind'
import { listLanes } from '@/server/operations/endpoints'

export const GET = route(listLanes)
