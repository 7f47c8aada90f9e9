import { buyCredits, offerCredits } from '@/server/agents/purchase-endpoints'
import { route } from '@/server/http/bind'

export const GET = route(offerCredits)
export const POST = route(buyCredits)
