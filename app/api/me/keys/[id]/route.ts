import { changeKey, getKey, revokeKey } from '@/server/accounts/own-endpoints'
import { route } from '@/server/app'

export const GET = route(getKey)
export const PATCH = route(changeKey)
export const DELETE = route(revokeKey)
