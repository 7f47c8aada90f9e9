import { bind } from '@/server/app'
import { changeTenant } from '@/server/http/admin'

export const PATCH = bind(changeTenant)
