import { bind } from '@/server/http/bind'
import { releaseQuarantined } from '@/server/operations/endpoints'

export const POST = bind(releaseQuarantined)
