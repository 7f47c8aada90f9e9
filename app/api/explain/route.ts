import { route } from '@/server/app'
import { explainOnPage } from '@/server/explain/endpoints'

export const POST = route(explainOnPage)
