import { bind } from '@/server/app'
import { toOperator } from '@/server/http/public'

export const GET = bind(toOperator)
