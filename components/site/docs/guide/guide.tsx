import type { AppConfig } from '@/server/app'
import type { GuideName } from '../pages'
import { Authentication, Headers, Limits, Networks } from './basics'
import { Errors } from './errors'
import { Flash } from './flash'
import { Listing } from './listing'
import { Merchants } from './merchants'
import { PayersAndAgents } from './payers'
import { Quickstart } from './quickstart'
import { Settlement } from './settlement'
import { Webhooks } from './webhooks'

type Props = { name: GuideName; baseUrl: string; tokens: AppConfig['merchantTokens'] }

/** The text of a guide. */
export function Guide({ name, baseUrl, tokens }: Props) {
  const texts = {
    quickstart: <Quickstart baseUrl={baseUrl} />,
    settlement: <Settlement baseUrl={baseUrl} />,
    flash: <Flash baseUrl={baseUrl} />,
    merchants: <Merchants baseUrl={baseUrl} tokens={tokens} />,
    'payers-and-agents': <PayersAndAgents baseUrl={baseUrl} />,
    webhooks: <Webhooks />,
    catalog: <Listing baseUrl={baseUrl} />,
    authentication: <Authentication />,
    networks: <Networks />,
    limits: <Limits />,
    errors: <Errors />,
    headers: <Headers />,
  } as const satisfies Record<GuideName, unknown>
  return texts[name]
}
