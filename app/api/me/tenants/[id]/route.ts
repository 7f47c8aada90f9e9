import { changeOwnTenant } from '@/server/accounts/endpoints'
import { route } from '@/server/app'

export const PATCH = route(changeOwnTenant)
