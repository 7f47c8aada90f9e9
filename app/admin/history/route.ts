import { adminHistory } from '@/server/history/endpoints'
import { bind } from '@/server/http/bind'

export const GET = bind(adminHistory)
