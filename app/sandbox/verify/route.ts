import { route } from '@/server/app'
import { verify } from '@/server/payments/endpoints'

export const POST = route(verify.sandbox)
