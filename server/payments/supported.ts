import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import type { Caller } from '../accounts/caller'
import type { Tier } from '../accounts/plans'
import type { App } from '../app'
import { sha256 } from '../base/hash'
import { type LaneKey, listLeased } from '../ledger/statements/lanes'
import { displayAddress } from '../x402/addresses'
import { expiryMargin } from '../x402/networks/expiry-margin'
import { expectedSeconds, type Finality, safeDepth } from '../x402/networks/finality'
import { type Asset, isEvmNetwork, type NetworkId, networkIds, networkRow, prefixNetworks } from '../x402/networks/networks'
import { SPONSORING } from '../x402/schemes/permit2/sponsoring'
import { USUAL_SCHEME } from '../x402/schemes/scheme-names'
import { schemesOn } from '../x402/schemes/schemes'
import { UPTO } from '../x402/schemes/upto/scheme'
import { feePayersOf, missingOn, settlesPermit2, signersAmong, signersOf } from './facilitators'
import { approvalMaxOf } from './gas-budgets'
import type { supported as schema } from './schemas/supported'
import { servesUptoSvm } from './upto-svm/served'

/** What this facilitator settles: `/supported` as official clients read it, with the assets beside it. */
export type Supported = z.input<typeof schema>

/** Every configured network. A temporary outage removes none: merchants read this once per process. */
export async function supported(app: App): Promise<Supported> {
  const asker = { tenantId: '', key: null, waitUntil: null }
  return describeTiers(await withLanes(app), networkIds, ['sandbox', 'standard', 'flash'], asker)
}

/** Who asks, with which key: the finality that it waits for, if it chose one. */
type Asker = Pick<Caller, 'tenantId' | 'key' | 'waitUntil'>

/** The networks among these that are configured for the caller's tier. */
export async function supportedBy(
  app: App,
  caller: Asker & Pick<Caller, 'tier'>,
  among: readonly NetworkId[],
): Promise<Supported> {
  return describeTiers(await withLanes(app), among, [caller.tier], caller)
}

/** The App with the lanes of all instances. */
type Served = { app: App; lanes: readonly LaneKey[] }

const withLanes = async (app: App): Promise<Served> => ({ app, lanes: await listLeased(app.db) })
/**
 * What stays the same while nothing changed, for an entity tag: the advertised fee payer is a random one of those that can pay.
 */
export function lastingParts(app: App, described: Supported): string {
  const able = app.engine.laneStatus().flatMap(({ status, address }) => (status === 'ready' ? [address] : []))
  const payers = JSON.stringify(able.toSorted())
  return JSON.stringify(described, (name, value: unknown) => (name === 'feePayer' ? payers : value))
}

/** The name of all networks of a family in official clients. */
const FAMILIES = { evm: 'eip155:*', svm: 'solana:*' } as const
const families = ['evm', 'svm'] as const satisfies (keyof typeof FAMILIES)[]

/** The networks that a tier may serve. */
export const TIER_NETWORKS = {
  sandbox: prefixNetworks.sandbox,
  standard: prefixNetworks.v1,
  flash: prefixNetworks.flash,
} as const satisfies Record<Tier, readonly NetworkId[]>

/** The networks that a tier serves: those that it may serve and that are configured. */
export function servedNetworks(app: App, tier: Tier): NetworkId[] {
  return TIER_NETWORKS[tier].filter((network) => signersOf(app, tier, network) !== null)
}

function describeTiers(all: Served, among: readonly NetworkId[], tiers: readonly Tier[], asker: Asker): Supported {
  const { app } = all
  const { tenantId, waitUntil } = asker
  const sendsOwn = (network: NetworkId) =>
    tiers.some((tier) => TIER_NETWORKS[tier].includes(network) && settlesPermit2(app, tier, network))
  const servedBy = (network: NetworkId) =>
    tiers.flatMap((tier) => (TIER_NETWORKS[tier].includes(network) ? (signersOf(app, tier, network) ?? []) : []))
  const isServed = (network: NetworkId) =>
    tiers.some((tier) => TIER_NETWORKS[tier].includes(network) && signersOf(app, tier, network) !== null)
  const served = among.filter(isServed)
  const signersIn = (family: keyof typeof FAMILIES) => [
    ...new Set(served.filter((network) => networkRow(network).family === family).flatMap(servedBy)),
  ]
  const signing = new Map(served.map((network) => [network, advertisedFeePayer(app, tiers, network)]))
  const usual = tiers.every((tier) => tier === 'flash') ? 'preconfirmed' : 'included'
  return {
    kinds: [
      ...served.flatMap((network) => {
        const extra = {
          ...signing.get(network),
          ...featuresOf(app, network),
          ...marginOf(network),
          finality: finalityIn(app, network, waitUntil ?? usual),
        }
        const facilitatorAddress = advertisedFacilitator(all, tiers, network, tenantId)
        return schemesIn(2, network).flatMap((scheme): Supported['kinds'] => {
          if (missingOn(app, network, scheme) !== null) return []
          const on = { x402Version: 2 as const, network }
          if (scheme === USUAL_SCHEME) return [{ ...on, scheme, extra }]
          if (!isEvmNetwork(network)) return uptoOnSolana(app, tiers, network, asker)
          if (scheme === UPTO)
            return facilitatorAddress === null ? [] : [{ ...on, scheme, extra: { facilitatorAddress, ...extra } }]
          // Without an authorizer kept here, merchants sign claims and refunds themselves.
          const receiverAuthorizer = app.authorizers.newest(asker)?.address
          const named = receiverAuthorizer ? { receiverAuthorizer: displayAddress(receiverAuthorizer) } : {}
          return sendsOwn(network) ? [{ ...on, scheme, extra: { ...named, ...extra } }] : []
        })
      }),
      ...served.flatMap((id) => {
        const { name: network } = networkRow(id)
        // Version 1 has no other scheme.
        const schemes = schemesIn(1, id).filter((scheme) => scheme === USUAL_SCHEME)
        return schemes.map((scheme) => ({ x402Version: 1 as const, network, scheme, ...extraOf(signing.get(id)) }))
      }),
    ],
    extensions: extensionsOf(app, tiers, served),
    signers: Object.fromEntries(
      families.map((family) => [FAMILIES[family], signersIn(family)] as const).filter(([, signers]) => signers.length > 0),
    ),
    assets: served.flatMap(assetsOn),
  }
}

/** The names of the schemes on a network that a version of x402 has. */
const schemesIn = (version: 1 | 2, network: NetworkId) =>
  schemesOn(network).flatMap(({ scheme, versions }) => (versions.includes(version) ? [scheme] : []))

// Version 1 has no smart wallets.
function featuresOf({ config }: App, network: NetworkId): { features?: { smartWalletSupported: true } } {
  const taken = networkRow(network).family === 'svm' && config.svm.smartWallets.size > 0
  return taken ? { features: { smartWalletSupported: true } } : {}
}

// On Solana the blockhash decides how long a payment is valid.
function marginOf(network: NetworkId): { expiryMarginSeconds?: number } {
  return isEvmNetwork(network) ? { expiryMarginSeconds: expiryMargin(network) } : {}
}

/** What merchants may declare in their routes: their middleware looks for these names. */
function extensionsOf(app: App, tiers: readonly Tier[], served: readonly NetworkId[]): string[] {
  const byPermit2 = served.filter((network) =>
    tiers.some((tier) => TIER_NETWORKS[tier].includes(network) && settlesPermit2(app, tier, network)),
  )
  const approves = byPermit2.some((network) => approvalMaxOf(app.config, network) > 0n)
  return ['bazaar', ...(byPermit2.length > 0 ? [SPONSORING.eip2612] : []), ...(approves ? [SPONSORING.approval] : [])]
}

/** What a success means on a network (docs/finality.md). */
function finalityIn({ config }: App, network: NetworkId, success: Finality) {
  const { family } = networkRow(network)
  return {
    // Solana has no preconfirmations.
    success: family === 'svm' && success === 'preconfirmed' ? ('included' as const) : success,
    confirmations: { included: 1, safe: safeDepth(network, config.finalityDepth) },
    expectedSeconds: expectedSeconds(network),
  }
}

const extraOf = (signing: { feePayer?: string } | undefined) => (signing?.feePayer === undefined ? {} : { extra: signing })

/** The fee payer that merchants copy into what payers sign; another facilitator's is passed on. Empty without one. */
export function advertisedFeePayer(app: App, tiers: readonly Tier[], network: NetworkId): { feePayer?: string } {
  const family = networkRow(network).family
  const feePayer = family === 'svm' ? ownFeePayer(app, tiers, network) : remoteFeePayer(app, tiers, network)
  return feePayer === undefined ? {} : { feePayer }
}

/**
 * The signer that merchants copy into what payers sign by `upto`; none that retires. Merchants match a payment by it, so it depends on
 * nothing but the tenant and the signers of all instances: each has a rank for the tenant and the network, and adding or removing another
 * moves no tenant between the rest.
 */
function advertisedFacilitator(
  { app, lanes }: Served,
  tiers: readonly Tier[],
  network: NetworkId,
  tenantId: string,
): string | null {
  const serving = tiers.filter((tier) => TIER_NETWORKS[tier].includes(network) && settlesPermit2(app, tier, network))
  const all = new Set(
    serving.flatMap((tier) => [...(signersOf(app, tier, network) ?? []), ...signersAmong(lanes, tier, network)]),
  )
  const signers = [...all].filter((address) => !app.config.retiringSigners.has(address.toLowerCase()))
  return ranked(signers, tenantId, network)[0] ?? null
}

/**
 * The offer of `upto` on Solana. Merchants copy all of `extra` into what payers sign and match payments by it: so it has nothing else, and the
 * same fee payer for a tenant in every answer, while it can front the rent of a channel.
 */
function uptoOnSolana(app: App, tiers: readonly Tier[], network: NetworkId, asker: Asker): Supported['kinds'] {
  const authorizer = servesUptoSvm(app, asker) ? app.svmAuthorizers.newest(asker) : null
  const payers = tiers.flatMap((tier) => (TIER_NETWORKS[tier].includes(network) ? feePayersOf(app, tier, network) : []))
  const opens = app.engine.laneStatus().flatMap((one) => (one.network === network && one.opens ? [one.address] : []))
  const able = payers.filter((address) => opens.includes(address))
  const [feePayer] = ranked(able, asker.tenantId, network)
  if (!authorizer || feePayer === undefined) return []
  return [{ x402Version: 2, scheme: UPTO, network, extra: { feePayer, receiverAuthorizer: authorizer.address } }]
}

/** Signers by their rank for a tenant and a network: adding or removing another moves no tenant between the rest. */
function ranked(signers: readonly string[], tenantId: string, network: NetworkId): string[] {
  const rank = (address: string) => Buffer.from(sha256(`${tenantId} ${network} ${address.toLowerCase()}`))
  return signers.toSorted((one, other) => Buffer.compare(rank(one), rank(other)))
}

function remoteFeePayer(app: App, tiers: readonly Tier[], network: NetworkId): string | undefined {
  return tiers.flatMap((tier) => app.remotes.get(tier)?.feePayer(network) ?? [])[0]
}

// A random one, so that new payments spread; one that can pay if possible, because a merchant keeps it for long.
function ownFeePayer(app: App, tiers: readonly Tier[], network: NetworkId): string | undefined {
  const all = [
    ...new Set(tiers.flatMap((tier) => (TIER_NETWORKS[tier].includes(network) ? feePayersOf(app, tier, network) : []))),
  ]
  const ready = new Set(
    app.engine.laneStatus().flatMap((one) => (one.network === network && one.status === 'ready' ? [one.address] : [])),
  )
  const able = all.filter((address) => ready.has(address))
  const choice = able.length > 0 ? able : all
  return choice[randomInt(Math.max(1, choice.length))]
}

/** The tokens of a network, with what signing a transfer of them needs. */
function assetsOn(network: NetworkId): Supported['assets'] {
  const row = networkRow(network)
  const shown = ({ address, symbol, decimals }: Asset) => ({ network, asset: displayAddress(address), symbol, decimals })
  if (row.family === 'svm') return row.assets.map(shown)
  return row.assets.map((asset) => ({ ...shown(asset), ...asset.domain, assetTransferMethod: asset.method }))
}
