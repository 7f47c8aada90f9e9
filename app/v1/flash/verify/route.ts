import { bind } from '@/server/http/bind'
import { missingKey } from '@/server/payments/endpoints'

export const GET = bind(missingKey('verify'))
export const POST = bind(missingKey('verify'))
