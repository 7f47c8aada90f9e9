import { bind } from '@/server/http/bind'
import { lanes } from '@/server/operations/endpoints'

export const GET = bind(lanes)
