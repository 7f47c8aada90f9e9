import { changeTenant, getTenant } from '@/server/accounts/endpoints'
import { route } from '@/server/http/bind'

export const GET = route(getTenant)
export const PATCH = route(changeTenant)
