import { createWalletKey, listWalletKeysOf } from '@/server/accounts/wallet-endpoints'
import { route } from '@/server/app'

export const GET = route(listWalletKeysOf)
export const POST = route(createWalletKey)
