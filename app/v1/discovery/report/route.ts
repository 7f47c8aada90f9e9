import { withoutKey } from '@/server/accounts/endpoints'
import { route } from '@/server/app'

export const GET = route(withoutKey.plain)
export const POST = GET
