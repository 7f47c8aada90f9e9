import { route } from '@/server/app'
import { settle } from '@/server/payments/endpoints'

export const POST = route(settle.flash)
