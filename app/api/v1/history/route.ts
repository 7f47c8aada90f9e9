import { bind } from '@/server/app'
import { payerHistory } from '@/server/http/history'

export const GET = bind(payerHistory)
