import { bind } from '@/server/http/bind'
import { missingKey } from '@/server/payments/endpoints'

export const GET = bind(missingKey('settle'))
export const POST = bind(missingKey('settle'))
