import { Check, ExternalLink, QrCode as QrIcon, Wallet as WalletIcon } from 'lucide-react'
import { Button, buttonClass } from '../../ui/button'
import { Skeleton } from '../../ui/panel'
import { shortened } from '../../ui/shortened'
import { Problem } from '../problem'
import { FAMILY_NAMES, type SigningWallet, WALLET_CONNECT } from './signing-wallet'
import { browseLinks, installLinks, isPhone, type WalletLink } from './wallet-links'
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
                {chosen && isSame(wallet, chosen) ? <Check aria-hidden className="size-4" /> : null}
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

/** The next step without a wallet in this browser: on a phone, open the page in a wallet app; on a computer, install a wallet. */
function NoWallet({ family }: Pick<Props, 'family'>) {
  const phone = isPhone(navigator)
  const links = phone ? browseLinks(location.href) : installLinks
  return (
    <div className="grid w-full gap-3">
      <p className="text-md">
        {phone ? 'Open this page in your wallet app:' : 'No wallet found in this browser. Install one, then reload this page:'}
      </p>
      <ul className="grid gap-2">
        {links
          .filter(({ families }) => family === null || families.includes(family))
          .map((link) => (
            <li key={link.name}>
              <Link {...link} newTab={!phone} />
            </li>
          ))}
      </ul>
    </div>
  )
}

// A deep link in a new tab leaves an empty tab behind.
function Link({ name, href, families, newTab }: WalletLink & { newTab: boolean }) {
  return (
    <a href={href} rel="noreferrer" {...(newTab ? { target: '_blank' } : {})} className={`${buttonClass()} w-full`}>
      {name}
      <span className="ml-auto flex items-center gap-2 text-sm text-soft">
        {families.map((one) => FAMILY_NAMES[one]).join(', ')}
        {newTab ? <ExternalLink aria-hidden className="size-3.5" /> : null}
      </span>
    </a>
  )
}
