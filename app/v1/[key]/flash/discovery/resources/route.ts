import { listResourcesUnder } from '@/server/discovery/endpoints'
import { route } from '@/server/http/bind'

export const GET = route(listResourcesUnder.flash)
