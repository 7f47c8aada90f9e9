import { route } from '@/server/app'
import { releaseQuarantined } from '@/server/operations/endpoints'

export const POST = route(releaseQuarantined)
