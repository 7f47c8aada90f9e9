import { bind } from '@/server/app'
import { lanes } from '@/server/http/lanes'

export const GET = bind(lanes)
