import { route } from '@/server/http/bind'
import { signIn } from '@/server/sign-in/endpoints'

export const POST = route(signIn)
