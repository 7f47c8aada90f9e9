import { searchResourcesUnder } from '@/server/discovery/endpoints'
import { route } from '@/server/http/bind'

export const GET = route(searchResourcesUnder.flash)
