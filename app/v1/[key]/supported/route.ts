import { bind } from '@/server/http/bind'
import { supportedUnder } from '@/server/operations/endpoints'

export const GET = bind(supportedUnder('v1'))
