'use client'

import { signInWith } from '../sign-in/wallet-sign-in'
import { AccountNotice } from '../wallets/account-notice'
import { WalletHost } from '../wallets/wallet-host'
import type { WalletSources } from '../wallets/wallet-store'

/** Follows the wallet of a signed-in payer, for its screens. */
export function SignedInWallet({ address, ...sources }: WalletSources & { address: string }) {
  return (
    <>
      <WalletHost {...sources} />
      <AccountNotice address={address} signIn={signInWith} />
    </>
  )
}
