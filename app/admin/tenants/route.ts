import { createTenant, tenants } from '@/server/accounts/admin'
import { bind } from '@/server/http/bind'

export const GET = bind(tenants)
export const POST = bind(createTenant)
