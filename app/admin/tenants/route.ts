import { createTenant, listTenants } from '@/server/accounts/endpoints'
import { route } from '@/server/http/bind'

export const GET = route(listTenants)
export const POST = route(createTenant)
