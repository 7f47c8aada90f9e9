'use client'

import { ExternalLink } from 'lucide-react'
import { buttonClass } from '../../ui/button'
import { FAMILY_NAMES, type SigningWallet } from './signing-wallet'
import { browseLinks, installLinks, isPhone, type WalletLink } from './wallet-links'

type Props = {
  /** The family that can be used here; null for both. */
  family: SigningWallet['family'] | null
  page: string
  phone: boolean
}

/** The next step without a wallet in this browser: on a phone, open the page in a wallet app; on a computer, install a wallet. */
export function NoWallet({ family }: Pick<Props, 'family'>) {
  return <WalletLinks family={family} page={location.href} phone={isPhone(navigator)} />
}

/** The links of `NoWallet` for a page and a device. */
function WalletLinks({ family, page, phone }: Props) {
  const links = phone ? browseLinks(page) : installLinks
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
