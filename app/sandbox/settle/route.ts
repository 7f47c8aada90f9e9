import { bind } from '@/server/http/bind'
import { settleUnder } from '@/server/payments/endpoints'

export const POST = bind(settleUnder('sandbox'))
