import { bind } from '@/server/http/bind'
import { supportedEverywhere } from '@/server/operations/endpoints'

export const GET = bind(supportedEverywhere)
