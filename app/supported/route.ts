import { route } from '@/server/app'
import { getSupportedEverywhere } from '@/server/payments/endpoints'

export const GET = route(getSupportedEverywhere)
