import { changeTenant, getTenant } from '@/server/accounts/endpoints'
import { route } from '@/server/app'

export const GET = route(getTenant)
export const PATCH = route(changeTenant)
