import { bind } from '@/server/app'
import { llmsText } from '@/server/http/llms'

export const GET = bind(llmsText)
