import { bind } from '@/server/app'
import { adminHistory } from '@/server/http/history'

export const GET = bind(adminHistory)
