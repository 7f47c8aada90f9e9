import type { Caller } from '../../accounts/caller'
import type { App } from '../../app'
import { ServiceError } from '../../base/errors'
import { whyNotOffered } from '../../chains/evm/scheme-contracts'
import { type EvmNetworkId, networkRow, prefixNetworks } from '../../x402/networks/networks'
import type { ChannelRequest } from '../../x402/schemes/batch-settlement/requests'
import { BATCH_SETTLEMENT } from '../../x402/schemes/batch-settlement/scheme'
import { type EvmFacilitator, facilitatorFor, missingOn } from '../facilitators'

/**
 * Checks that we act on a request about channels: its network is served below this prefix and by the caller's key, and our own signers send
 * there. Returns its facilitator. Throws `forbidden` or `unavailable`.
 */
export function admitChannel(
  app: App,
  caller: Caller,
  { network, payTo }: Pick<ChannelRequest, 'network' | 'payTo'>,
): EvmFacilitator {
  const { networks, payTo: pinned } = caller.guardrails
  if (!prefixNetworks[caller.prefix].includes(network) || (networks && !networks.includes(network))) throw foreign(network)
  if (pinned && !pinned.includes(payTo)) {
    const message = `payTo ${payTo} is not one of the addresses pinned for this API key`
    throw new ServiceError('forbidden', message, { reason: 'pay_to_not_allowed' })
  }
  const facilitator = facilitatorFor(app, caller.tier, network)
  const missing = missingOn(app, network, BATCH_SETTLEMENT)
  if (missing) throw notServed(`channels are not served here: ${whyNotOffered(network, BATCH_SETTLEMENT, missing)}`)
  if (facilitator.family === 'evm' && facilitator.submitter !== 'remote') return facilitator
  const message = `channels on ${networkRow(network).title} are not served here: another facilitator sends for this tier`
  throw notServed(message)
}

const notServed = (message: string) =>
  new ServiceError('unavailable', message, { reason: 'facilitator_unavailable', retryAfterSeconds: 60 })

function foreign(network: EvmNetworkId): ServiceError {
  const message = `${networkRow(network).title} is not allowed here, by this prefix or this API key`
  return new ServiceError('forbidden', message, { reason: 'invalid_network' })
}
