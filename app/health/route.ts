import { bind } from '@/server/app'
import { health } from '@/server/http/public'

export const GET = bind(health)
