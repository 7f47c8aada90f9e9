import type { ReactNode } from 'react'
import { networkNames, type OwnKey } from '../../client/own-key'
import { Copyable } from '../../ui/copyable'

/** The recipients that show without a click. */
const SHOWN_MAX = 5

type Props = { apiKey: Pick<OwnKey, 'allowedNetworks' | 'payToAllow' | 'maxUsdc'>; children?: ReactNode }

/** The limits of a key, each with its name. */
export function LimitFacts({ apiKey: { allowedNetworks, payToAllow, maxUsdc }, children }: Props) {
  return (
    <dl className="grid gap-1.5">
      <LimitFact name="Networks">{networkNames(allowedNetworks)}</LimitFact>
      <LimitFact name={payToAllow.length > 1 ? 'Recipients (payTo)' : 'Recipient (payTo)'}>
        {payToAllow.length === 0 ? (
          'Any'
        ) : (
          <span className="grid justify-items-start gap-1">
            {payToAllow.slice(0, SHOWN_MAX).map((address) => (
              <Copyable key={address} text={address} label="recipient" />
            ))}
            {payToAllow.length > SHOWN_MAX ? <span>and {payToAllow.length - SHOWN_MAX} more</span> : null}
          </span>
        )}
      </LimitFact>
      <LimitFact name="Maximum per payment">{maxUsdc === null ? 'No limit' : `${maxUsdc} USDC`}</LimitFact>
      {children}
    </dl>
  )
}

/** A limit with its name. */
export function LimitFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[9.5rem_minmax(0,1fr)] gap-3">
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
