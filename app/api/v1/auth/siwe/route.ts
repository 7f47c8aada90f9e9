import { route } from '@/server/app'
import { signIn } from '@/server/sign-in/endpoints'

export const POST = route(signIn)
