import { bind } from '@/server/app'
import { missingKey } from '@/server/http/payments'

export const GET = bind(missingKey('settle'))
export const POST = bind(missingKey('settle'))
