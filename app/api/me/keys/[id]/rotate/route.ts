import { rotateOwn } from '@/server/accounts/own-endpoints'
import { route } from '@/server/app'

export const POST = route(rotateOwn)
