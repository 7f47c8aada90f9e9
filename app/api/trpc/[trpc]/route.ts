import { bind } from '@/server/http/bind'
import { serveTrpc } from '@/server/trpc/handler'

export const GET = bind(serveTrpc)
export const POST = bind(serveTrpc)
