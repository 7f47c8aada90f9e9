import { route } from '@/server/app'
import { trpc } from '@/server/trpc/handler'

export const GET = route(trpc.GET)
export const POST = route(trpc.POST)
