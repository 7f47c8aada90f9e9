import { llms } from '@/app/docs/programs/llms'
import { bind } from '@/server/http/bind'

export const GET = bind(llms)
