import { bind } from '@/server/app'
import { settleSandbox } from '@/server/http/payments'

export const POST = bind(settleSandbox)
