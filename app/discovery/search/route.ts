import { searchResources } from '@/server/discovery/endpoints'
import { route } from '@/server/http/bind'

export const GET = route(searchResources)
