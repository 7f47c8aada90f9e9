import { bind } from '@/server/app'
import { missingKey } from '@/server/http/payments'

export const GET = bind(missingKey('verify'))
export const POST = bind(missingKey('verify'))
