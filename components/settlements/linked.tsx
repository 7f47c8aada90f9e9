import { ArrowUpRight } from 'lucide-react'
import { Copyable } from '../ui/copyable'
import { addressUrl, transactionUrl } from './explorer'

type Props = { network: string; label: string } & ({ transaction: string } | { address: string })

/** A transaction or an address to copy, with the way to where it can be looked at if there is one. */
export function Linked({ network, label, ...what }: Props) {
  const [text, url] =
    'address' in what
      ? [what.address, addressUrl(network, what.address)]
      : [what.transaction, transactionUrl(network, what.transaction)]
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      <Copyable text={text} label={label} />
      {url ? (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={`See the ${label} in the explorer`}
          className="grid text-soft hover:text-accent"
        >
          <ArrowUpRight aria-hidden className="size-4" />
        </a>
      ) : null}
    </span>
  )
}
