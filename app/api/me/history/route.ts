import { bind } from '@/server/app'
import { merchantHistory } from '@/server/http/history'

export const GET = bind(merchantHistory)
