import { bind } from '@/server/app'
import { resourcesEverywhere } from '@/server/http/discovery'

export const GET = bind(resourcesEverywhere)
