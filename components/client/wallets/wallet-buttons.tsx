import { QrCode as QrIcon, Wallet as WalletIcon } from 'lucide-react'
import { Button } from '../../ui/button'
import { shortened } from '../../ui/copyable'
import { Skeleton } from '../../ui/panel'
import { Problem } from '../problem'
import { NoWallet } from './no-wallet'
import { FAMILY_NAMES, type SigningWallet, WALLET_CONNECT } from './signing-wallet'
import type { Wallets } from './wallet-store'

type Props = Wallets & {
  /** The family that can be used here; null for both. */
  family: SigningWallet['family'] | null
  disabled: boolean
  /** The wallet that is chosen, where the choice alone does nothing yet. */
  chosen?: SigningWallet | null
  onChoose: (wallet: SigningWallet) => void
}

/** A button for each wallet of this browser and for WalletConnect, or the links to get one. */
export function WalletButtons({ wallets, failed, family, disabled, chosen, onChoose }: Props) {
  if (failed) return <Problem error={{ message: 'Wallet support did not load. Reload the page.' }} />
  if (!wallets) return <Skeleton className="h-10 w-full" />
  const usable = wallets.filter((wallet) => family === null || wallet.family === family)
  const installed = usable.filter(({ id }) => id !== WALLET_CONNECT)
  return (
    <div className="grid w-full grid-cols-1 gap-3">
      {usable.length > 0 ? (
        <ul className="grid w-full grid-cols-1 gap-2">
          {ordered(usable).map((wallet) => (
            <li key={`${wallet.family} ${wallet.id}`}>
              <Button
                onClick={() => onChoose(wallet)}
                disabled={disabled}
                aria-pressed={chosen === undefined ? undefined : isSame(wallet, chosen)}
                className="w-full"
              >
                <Picture {...wallet} />
                {wallet.name}
                <span className="ml-auto min-w-0 truncate text-sm text-soft">{stateOf(wallet)}</span>
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      {installed.length === 0 ? <NoWallet family={family} /> : null}
    </div>
  )
}

const isSame = (one: SigningWallet, other: SigningWallet | null) => one.id === other?.id && one.family === other.family

// Connected ones first, other devices last.
function ordered(wallets: readonly SigningWallet[]): SigningWallet[] {
  const place = ({ id, account }: SigningWallet) => (account ? 0 : id === WALLET_CONNECT ? 2 : 1)
  return wallets.toSorted((one, other) => place(one) - place(other))
}

function Picture({ id, icon }: Pick<SigningWallet, 'id' | 'icon'>) {
  // biome-ignore lint/performance/noImgElement: a data URL of the wallet itself
  if (icon) return <img src={icon} alt="" className="size-5 rounded" />
  const Icon = id === WALLET_CONNECT ? QrIcon : WalletIcon
  return <Icon aria-hidden className="size-5 text-soft" />
}

// A connected wallet shows its account and chain, which change with the wallet.
function stateOf({ id, family, account }: SigningWallet): string {
  if (account) return [shortened(account.address), account.chain].filter(Boolean).join(' · ')
  return id === WALLET_CONNECT ? 'Wallet on your phone' : FAMILY_NAMES[family]
}
