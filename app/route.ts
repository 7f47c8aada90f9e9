import { bind } from '@/server/http/bind'
import { toOperator } from '@/server/operations/endpoints'

export const GET = bind(toOperator)
