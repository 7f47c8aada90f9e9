import { route } from '@/server/app'
import { listHistory } from '@/server/history/endpoints'

export const GET = route(listHistory)
