import { getLlmsText } from '@/app/docs/programs/llms'
import { route } from '@/server/http/bind'

export const GET = route(getLlmsText)
