import { rotateKey } from '@/server/accounts/admin'
import { bind } from '@/server/http/bind'

export const POST = bind(rotateKey)
