import { getLlmsText } from '@/app/docs/programs/llms'
import { route } from '@/server/app'

export const GET = route(getLlmsText)
