import { createTenant, listTenants } from '@/server/accounts/endpoints'
import { route } from '@/server/app'

export const GET = route(listTenants)
export const POST = route(createTenant)
