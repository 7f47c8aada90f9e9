import { resourcesUnder } from '@/server/discovery/endpoints'
import { bind } from '@/server/http/bind'

export const GET = bind(resourcesUnder('sandbox'))
