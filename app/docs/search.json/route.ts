import { getSearchIndex } from '@/components/site/docs/search-index'
import { route } from '@/server/app'

export const GET = route(getSearchIndex)
