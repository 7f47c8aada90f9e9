import { route } from '@/server/app'
import { searchResources } from '@/server/discovery/endpoints'

export const GET = route(searchResources)
