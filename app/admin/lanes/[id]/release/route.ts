import { route } from '@/server/http/bind'
import { releaseQuarantined } from '@/server/operations/endpoints'

export const POST = route(releaseQuarantined)
