import { route } from '@/server/http/bind'
import { getSupportedEverywhere } from '@/server/payments/endpoints'

export const GET = route(getSupportedEverywhere)
