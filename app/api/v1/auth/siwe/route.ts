import { bind } from '@/server/app'
import { signIn } from '@/server/http/sessions'

export const POST = bind(signIn)
