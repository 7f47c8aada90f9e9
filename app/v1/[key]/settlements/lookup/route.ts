import { route } from '@/server/app'
import { lookUpSigned } from '@/server/payments/endpoints'

export const POST = route(lookUpSigned.v1)
