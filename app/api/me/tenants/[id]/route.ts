import { changeOwnTenant } from '@/server/accounts/endpoints'
import { route } from '@/server/http/bind'

export const PATCH = route(changeOwnTenant)
