import { bind } from '@/server/app'
import { verifySandbox } from '@/server/http/payments'

export const POST = bind(verifySandbox)
