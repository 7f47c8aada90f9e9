import { keyless } from '@/server/accounts/endpoints'
import { route } from '@/server/app'

export const GET = route(keyless['/v1/flash/discovery/search'].GET)
export const POST = route(keyless['/v1/flash/discovery/search'].POST)
