import { bind } from '@/server/app'
import { searchUnder } from '@/server/http/discovery'

export const GET = bind(searchUnder('flash'))
