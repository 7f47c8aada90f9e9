import { route } from '@/server/http/bind'
import { verify } from '@/server/payments/endpoints'

export const POST = route(verify.v1)
