import { resourcesEverywhere } from '@/server/discovery/endpoints'
import { bind } from '@/server/http/bind'

export const GET = bind(resourcesEverywhere)
