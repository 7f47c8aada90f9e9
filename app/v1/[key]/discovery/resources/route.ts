import { bind } from '@/server/app'
import { resourcesUnder } from '@/server/http/discovery'

export const GET = bind(resourcesUnder('v1'))
