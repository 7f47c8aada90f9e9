import { route } from '@/server/app'
import { searchResourcesUnder } from '@/server/discovery/endpoints'

export const GET = route(searchResourcesUnder.sandbox)
