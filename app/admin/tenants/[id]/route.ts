import { bind } from '@/server/app'
import { changeTenant, tenant } from '@/server/http/admin'

export const GET = bind(tenant)
export const PATCH = bind(changeTenant)
