import { route } from '@/server/http/bind'
import { settle } from '@/server/payments/endpoints'

export const POST = route(settle.v1)
