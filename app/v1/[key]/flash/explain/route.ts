import { route } from '@/server/app'
import { explain } from '@/server/explain/endpoints'

export const POST = route(explain.flash)
