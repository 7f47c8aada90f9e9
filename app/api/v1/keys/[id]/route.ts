import { revokeKeyOfWallet } from '@/server/accounts/wallet-endpoints'
import { route } from '@/server/app'

export const DELETE = route(revokeKeyOfWallet)
