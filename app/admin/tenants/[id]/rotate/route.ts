import { rotateKey } from '@/server/accounts/endpoints'
import { route } from '@/server/http/bind'

export const POST = route(rotateKey)
