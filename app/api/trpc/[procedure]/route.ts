import { route } from '@/server/app'
import { trpc } from '@/server/trpc/handler'

export const GET = route(trpc)
export const POST = GET
