import { createOwnKey, listKeys } from '@/server/accounts/own-endpoints'
import { route } from '@/server/app'

export const POST = route(createOwnKey)
export const GET = route(listKeys)
