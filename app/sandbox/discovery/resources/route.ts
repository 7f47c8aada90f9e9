import { route } from '@/server/app'
import { listResourcesUnder } from '@/server/discovery/endpoints'

export const GET = route(listResourcesUnder.sandbox)
