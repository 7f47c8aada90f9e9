import { bind } from '@/server/http/bind'
import { signIn } from '@/server/sign-in/endpoints'

export const POST = bind(signIn)
