import { bind } from '@/server/app'
import { llms } from '@/server/http/llms'

export const GET = bind(llms)
