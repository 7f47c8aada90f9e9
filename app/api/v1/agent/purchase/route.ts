import { bind } from '@/server/app'
import { buyCredits, offerCredits } from '@/server/http/agent-purchase'

export const GET = bind(offerCredits)
export const POST = bind(buyCredits)
