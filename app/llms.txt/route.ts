import { getLlmsText } from '@/components/site/docs/llms'
import { route } from '@/server/app'

export const GET = route(getLlmsText)
