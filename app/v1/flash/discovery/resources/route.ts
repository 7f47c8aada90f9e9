import { bind } from '@/server/app'
import { missingKey } from '@/server/http/payments'

export const GET = bind(missingKey('plain'))
export const POST = bind(missingKey('plain'))
