import { route } from '@/server/app'
import { listResources } from '@/server/discovery/endpoints'

export const GET = route(listResources)
