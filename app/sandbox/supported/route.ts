import { bind } from '@/server/app'
import { supportedSandbox } from '@/server/http/public'

export const GET = bind(supportedSandbox)
