import { listHistory } from '@/server/history/endpoints'
import { route } from '@/server/http/bind'

export const GET = route(listHistory)
