import { buyCredits, offerCredits } from '@/server/agents/purchase-endpoints'
import { route } from '@/server/app'

export const GET = route(offerCredits)
export const POST = route(buyCredits)
