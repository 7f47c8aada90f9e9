import { keyless } from '@/server/accounts/endpoints'
import { route } from '@/server/app'

export const GET = route(keyless['/v1/flash/explain'].GET)
export const POST = route(keyless['/v1/flash/explain'].POST)
