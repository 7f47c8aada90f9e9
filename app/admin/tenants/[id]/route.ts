import { changeTenant, tenant } from '@/server/accounts/admin'
import { bind } from '@/server/http/bind'

export const GET = bind(tenant)
export const PATCH = bind(changeTenant)
