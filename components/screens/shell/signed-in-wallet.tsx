'use client'

import { AccountNotice } from '../../client/wallets/account-notice'
import { WalletHost } from '../../client/wallets/wallet-host'
import { signInWith } from '../../client/wallets/wallet-sign-in'
import type { WalletSources } from '../../client/wallets/wallet-store'

/** Follows the wallet of a signed-in payer, for its screens. */
export function SignedInWallet({ address, ...sources }: WalletSources & { address: string }) {
  return (
    <>
      <WalletHost {...sources} />
      <AccountNotice address={address} signIn={signInWith} />
    </>
  )
}
