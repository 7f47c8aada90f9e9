import { bind } from '@/server/app'
import { verifyUnder } from '@/server/http/payments'

export const POST = bind(verifyUnder('sandbox'))
