import { bind } from '@/server/http/bind'
import { settlementsUnder } from '@/server/payments/endpoints'

export const GET = bind(settlementsUnder('sandbox'))
