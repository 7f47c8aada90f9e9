import { bind } from '@/server/http/bind'
import { health } from '@/server/operations/endpoints'

export const GET = bind(health)
