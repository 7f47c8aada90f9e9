import { getSearchIndex } from '@/app/docs/search-index'
import { route } from '@/server/app'

export const GET = route(getSearchIndex)
