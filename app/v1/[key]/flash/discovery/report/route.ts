import { route } from '@/server/app'
import { reportListings } from '@/server/discovery/endpoints'

export const GET = route(reportListings.flash)
