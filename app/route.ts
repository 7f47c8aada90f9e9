import { route } from '@/server/http/bind'
import { goToOperator } from '@/server/operations/endpoints'

export const GET = route(goToOperator)
