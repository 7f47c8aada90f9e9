import { isSameAddress, type SigningWallet } from './signing-wallet'

/** A connected wallet, and the account that it shares. */
type ChangedAccount = { wallet: SigningWallet; address: string }

/** The wallet whose account differs from the signed-in one. Null if any shares it, or none of its family is connected. */
export function changedAccount(wallets: readonly SigningWallet[] | null, signedIn: string): ChangedAccount | null {
  const family = signedIn.startsWith('0x') ? 'evm' : 'svm'
  const connected = (wallets ?? []).flatMap((wallet) =>
    wallet.family === family && wallet.account ? [{ wallet, address: wallet.account.address }] : [],
  )
  if (connected.some(({ address }) => isSameAddress(address, signedIn))) return null
  return connected[0] ?? null
}
