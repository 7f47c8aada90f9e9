import { bind } from '@/server/http/bind'
import { verifyUnder } from '@/server/payments/endpoints'

export const POST = bind(verifyUnder('sandbox'))
