import { bind } from '@/server/app'
import { changeOwnTenant } from '@/server/http/opt-out'

export const PATCH = bind(changeOwnTenant)
