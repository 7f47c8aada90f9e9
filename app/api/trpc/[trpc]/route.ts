import { bind } from '@/server/app'
import { serveTrpc } from '@/server/dashboard'

export const GET = bind(serveTrpc)
export const POST = bind(serveTrpc)
