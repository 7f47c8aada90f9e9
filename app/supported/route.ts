import { bind } from '@/server/app'
import { supportedEverywhere } from '@/server/http/public'

export const GET = bind(supportedEverywhere)
