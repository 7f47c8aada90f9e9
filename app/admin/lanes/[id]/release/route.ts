import { bind } from '@/server/app'
import { releaseQuarantined } from '@/server/http/lanes'

export const POST = bind(releaseQuarantined)
