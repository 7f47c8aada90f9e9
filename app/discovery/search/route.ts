import { bind } from '@/server/app'
import { searchEverywhere } from '@/server/http/discovery'

export const GET = bind(searchEverywhere)
