import { bind } from '@/server/app'
import { supportedUnder } from '@/server/http/public'

export const GET = bind(supportedUnder('flash'))
