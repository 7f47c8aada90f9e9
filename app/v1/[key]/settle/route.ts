import { bind } from '@/server/app'
import { settleUnder } from '@/server/http/payments'

export const POST = bind(settleUnder('v1'))
