import { changeMerchantTenant } from '@/server/accounts/own-settings'
import { bind } from '@/server/http/bind'

export const PATCH = bind(changeMerchantTenant)
