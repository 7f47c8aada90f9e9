import { bind } from '@/server/app'
import { rotateKey } from '@/server/http/admin'

export const POST = bind(rotateKey)
