import { route } from '@/server/app'
import { listPayerHistory } from '@/server/history/endpoints'

export const GET = route(listPayerHistory)
