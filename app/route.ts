import { route } from '@/server/app'
import { goToOperator } from '@/server/operations/endpoints'

export const GET = route(goToOperator)
