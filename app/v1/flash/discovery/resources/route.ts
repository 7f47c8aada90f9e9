import { bind } from '@/server/http/bind'
import { missingKey } from '@/server/payments/endpoints'

export const GET = bind(missingKey('plain'))
export const POST = bind(missingKey('plain'))
