import { rotateKey } from '@/server/accounts/endpoints'
import { route } from '@/server/app'

export const POST = route(rotateKey)
