import { bind } from '@/server/app'
import { createTenant, tenants } from '@/server/http/admin'

export const GET = bind(tenants)
export const POST = bind(createTenant)
