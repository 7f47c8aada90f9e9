import { buyCredits, offerCredits } from '@/server/agents/purchase-endpoints'
import { bind } from '@/server/http/bind'

export const GET = bind(offerCredits)
export const POST = bind(buyCredits)
