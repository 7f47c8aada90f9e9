import { formatUnits } from 'viem'
import { silentLog } from '../../base/log'
import { configuredChains, configuredClusters } from '../../boot/chains'
import { createEvmChain } from '../../chains/evm/chain'
import { readFactories } from '../../chains/evm/factories'
import { contradictionsOf } from '../../chains/evm/row-check'
import { createRpc } from '../../chains/evm/rpc'
import { missingContracts, whyNotOffered } from '../../chains/evm/scheme-contracts'
import { createSvmChain, type SvmChain } from '../../chains/svm/chain'
import { createSvmRpc } from '../../chains/svm/rpc'
import type { Db } from '../../db/database'
import type { Env } from '../../env/env'
import { evmNetworks, isAsBuilt } from '../../env/networks'
import { hasReserve } from '../../ledger/evm/lease'
import { laneClasses } from '../../ledger/statements/lanes'
import { leastBalance } from '../../ledger/svm/fee-payers'
import type { EvmNetworkId, EvmRow, NetworkId, SvmNetworkId } from '../../x402/networks/networks'
import { networkRow } from '../../x402/networks/networks'
import { tokensOf, treasuryOf } from '../../x402/schemes/upto/svm/program'
import { examineMints, wantedMints } from '../mints'
import { check, type Finding, ok, unset, warning, wrong } from './findings'

/** A newest block older than this means that the node lags or has stopped. */
const HEAD_OLD_SECONDS = 120
/** The maximum time that a block may be ahead of our clock. */
const AHEAD_SECONDS = 15

const SVM: [SvmNetworkId, 'SOLANA_RPC_URL' | 'SOLANA_DEVNET_RPC_URL'][] = [
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'SOLANA_RPC_URL'],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'SOLANA_DEVNET_RPC_URL'],
]

/** Checks each RPC endpoint: response, chain, age of the newest block, and whether the network's row fits the chain. */
export async function checkEndpoints(env: Env): Promise<Finding[]> {
  const evm = evmNetworks(env).flatMap(({ row, urls, flashUrls, sendUrls, names }) => {
    const network: EvmNetworkId = `eip155:${row.chainId}`
    const run = (isFlash: boolean) => (url: string, what: string) => checkEvm(network, url, what, isFlash)
    return [
      ...endpoints(nameOf(names.urls, row), urls, run(false)),
      // Only what every process knows is worth a line while it is off.
      ...(isAsBuilt(row) || flashUrls.length > 0 ? endpoints(nameOf(names.flashUrls, row), flashUrls, run(true)) : []),
      ...(sendUrls.length > 0
        ? endpoints(nameOf(names.sendUrls, row), sendUrls, (url, what) => checkSend(network, url, what))
        : []),
    ]
  })
  const svm = SVM.flatMap(([network, name]) =>
    endpoints(name, env[name], async (url, what) => [await checkSvm(network, url, what)]),
  )
  return (await Promise.all([...evm, ...svm])).flat()
}

const nameOf = (variable: string, { title }: EvmRow) => (variable === 'EVM_NETWORKS' ? `EVM_NETWORKS, ${title}` : variable)

function endpoints(
  name: string,
  urls: readonly string[],
  run: (url: string, what: string) => Promise<Finding[]>,
): Promise<Finding[]>[] {
  if (urls.length === 0) return [Promise.resolve([unset(name, 'the network, or its flash tier, is not served through it')])]
  const fix = `check endpoint and key in ${name}, and the provider's status`
  return urls.map((url, at) => {
    const what = `${name}, endpoint ${at + 1}`
    return check(what, fix, () => run(url, what))
  })
}

async function checkEvm(network: EvmNetworkId, url: string, what: string, isFlash: boolean): Promise<Finding[]> {
  const rpc = createRpc([url], network, silentLog())
  const chain = createEvmChain(network, rpc)
  if (!(await chain.isExpected())) return [foreign(what, chain.title)]
  const { number, timestamp } = await chain.head()
  const age = Math.floor(Date.now() / 1_000) - Number.parseInt(String(timestamp), 10)
  const summary = `${chain.title}, block ${number} is ${age} s old`
  if (age > HEAD_OLD_SECONDS) return [wrong(what, summary, 'the node lags or has stopped: use another one')]
  if (age < -AHEAD_SECONDS) return [wrong(what, summary, "our clock is behind the chain's: synchronise this machine (NTP)")]
  const faults = isFlash ? [] : await contradictionsOf(rpc, network)
  const missing = isFlash || faults.length > 0 ? [] : [...(await missingContracts(rpc))]
  const notOffered = missing.map(([scheme, contract]) =>
    warning(what, whyNotOffered(network, scheme, contract), 'deploy it there, or sell by exact'),
  )
  if (faults.length === 0) return [ok(what, isFlash ? summary : `${summary}, its row fits`), ...notOffered]
  return faults.map((fault) => wrong(what, fault.summary, `${fault.fix} in a row of EVM_NETWORKS (docs/networks.md)`))
}

// It may refuse reads, so only its chain is asked.
async function checkSend(network: EvmNetworkId, url: string, what: string): Promise<Finding[]> {
  const chain = createEvmChain(network, createRpc([url], network, silentLog()))
  return [(await chain.isExpected()) ? ok(what, `${chain.title}, for sending alone`) : foreign(what, chain.title)]
}

/** Checks each configured mint of Solana as the service does at its start. */
export async function checkMints(env: Env): Promise<Finding[]> {
  const found = SVM.map(([network, name]) => {
    const wanted = wantedMints(env, network)
    const variable = network === 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' ? 'SOLANA_MINTS' : 'SOLANA_DEVNET_MINTS'
    if (wanted.length === 0) return []
    if (env[name].length === 0) return [unset(variable, `${name} is not set, so no mint is served`)]
    return check(variable, `fix ${name} first`, async () => {
      const chain = createSvmChain(network, createSvmRpc(env[name], network, silentLog()))
      const findings = await examineMints(chain, wanted)
      return wanted.map(({ symbol, address }, at): Finding => {
        const finding = findings[at] ?? { fault: 'was not read' }
        const what = `${variable}, ${symbol}`
        const remedy = `remove it from ${variable}: payments in it are refused`
        if ('fault' in finding) return wrong(what, `${address} ${finding.fault}`, remedy)
        return ok(what, `${address} on ${chain.title}, ${finding.decimals} decimals`)
      })
    })
  })
  return (await Promise.all(found)).flat()
}

/** Checks on each network with an endpoint whether the allowed factories of smart wallets have code there. */
export async function checkFactories(env: Env): Promise<Finding[]> {
  const variable = 'EVM_WALLET_FACTORIES'
  const factories = env.EVM_WALLET_FACTORIES
  if (factories.length === 0) return [unset(variable, 'wallets that are not deployed cannot pay')]
  const found = evmNetworks(env)
    .filter(({ urls }) => urls.length > 0)
    .map(({ row, urls, names }) => {
      const what = `${variable} on ${row.title}`
      return check(what, `fix ${nameOf(names.urls, row)} first`, async () => {
        const statuses = await readFactories(createRpc(urls, `eip155:${row.chainId}`, silentLog()), factories)
        const missing = statuses.filter(({ hasCode }) => !hasCode).map(({ address }) => address)
        if (missing.length === 0) return ok(what, `all have code (${factories.length})`)
        const summary = `no contract at ${missing.join(', ')}: its wallets cannot pay there before they are deployed`
        return warning(what, summary, 'check the address, deploy the factory there, or leave it: other networks may have it')
      })
    })
  return (await Promise.all(found)).flat()
}

async function checkSvm(network: SvmNetworkId, url: string, what: string): Promise<Finding> {
  const chain = createSvmChain(network, createSvmRpc([url], network, silentLog()))
  if (!(await chain.isExpected())) return foreign(what, chain.title)
  return ok(what, `${chain.title}, final height ${await chain.finalizedHeight()}`)
}

const foreign = (what: string, title: string): Finding =>
  wrong(what, `the node is not on ${title}`, `use an endpoint of ${title} instead`)

/** Checks each signer: gas balance, and no transaction on chain that the ledger lacks. */
export async function checkSigners(env: Env, db: Db | null): Promise<Finding[]> {
  const log = silentLog()
  const [chains, clusters] = [configuredChains(env, log), configuredClusters(env, log)]
  const evm = chains.flatMap(({ chain, signers }) =>
    laneClasses.flatMap((one) =>
      signers[one].map(({ address }) => {
        const what = `signer ${address} on ${chain.title} (${one})`
        return check(what, 'fix the RPC endpoint first', async () => {
          const [balance, enough, count] = await Promise.all([
            chain.balance(address),
            hasReserve(chain, address),
            chain.transactionCount(address),
          ])
          const { symbol, decimals } = networkRow(chain.network).coin
          const summary = `${formatUnits(balance, decimals)} ${symbol}`
          if (!enough) return wrong(what, `${summary} is too little for five payments`, `send ${symbol} to ${address}`)
          return (
            (await ledgerFault(db, what, { network: chain.network, address, count })) ?? ok(what, `${summary}, nonce ${count}`)
          )
        })
      }),
    ),
  )
  const least = leastBalance(BigInt(env.SVM_MAX_FEE_LAMPORTS))
  const svm = clusters.flatMap(({ chain, signers }) =>
    laneClasses.flatMap((one) =>
      signers[one].map(({ address }) => {
        const what = `fee payer ${address} on ${chain.title} (${one})`
        return check(what, 'fix the RPC endpoint first', async () => {
          const balance = await chain.balance(address)
          const { symbol, decimals } = networkRow(chain.network).coin
          const summary = `${formatUnits(balance, decimals)} ${symbol}`
          if (balance < least) return wrong(what, `${summary} is too little for five payments`, `send ${symbol} to ${address}`)
          return ok(what, summary)
        })
      }),
    ),
  )
  const upto = clusters.flatMap(({ chain, signers: { production } }) =>
    env.SVM_UPTO && production.length > 0
      ? [check(`SVM_UPTO on ${chain.title}`, 'fix the RPC endpoint first', () => checkUptoAccounts(chain, production))]
      : [],
  )
  const idle = unserved(env, new Set([...chains, ...clusters].map(({ chain }) => chain.network)))
  const found = [...(await Promise.all([...evm, ...svm, ...upto])).flat(), ...idle]
  return found.length > 0 ? found : [unset('signers', 'no network has an RPC URL and signer keys: nothing can be settled')]
}

/** The token accounts without which no channel can be paid out: those of the fee payers and of the program's treasury. */
async function checkUptoAccounts(
  chain: Pick<SvmChain, 'network' | 'title' | 'tokenAccount'>,
  feePayers: readonly { address: string }[],
): Promise<Finding> {
  const what = `SVM_UPTO on ${chain.title}`
  const owners = [...feePayers.map(({ address }) => address), treasuryOf(chain.network)]
  const needed = networkRow(chain.network).assets.flatMap(({ address, program, symbol }) =>
    owners.map((owner) => ({ symbol, account: tokensOf(owner, address, program), owner })),
  )
  const held = await Promise.all(needed.map(({ account }) => chain.tokenAccount(account)))
  const missing = needed.find((_, at) => held[at] === null)
  if (!missing)
    return ok(what, `${needed.length} token accounts exist; the scheme was proven only against an emulation of its program`)
  const { symbol, account, owner } = missing
  return warning(what, `${owner} has no account of ${symbol}: no payment by upto is taken`, `open ${account}`)
}

/** The networks with an endpoint that nothing signs for. */
function unserved(env: Env, served: ReadonlySet<NetworkId>): Finding[] {
  const evm = evmNetworks(env).map(({ row, urls, names }) => ({
    network: `eip155:${row.chainId}` as const,
    urls,
    variable: nameOf(names.urls, row),
    keys: row.testnet ? 'EVM_SANDBOX_SIGNER_KEYS or EVM_SIGNER_KEYS' : 'EVM_SIGNER_KEYS',
  }))
  const svm = SVM.map(([network, variable]) => ({
    network,
    urls: env[variable],
    variable,
    keys: variable === 'SOLANA_RPC_URL' ? 'SOLANA_SIGNER_KEYS' : 'SOLANA_SANDBOX_SIGNER_KEYS',
  }))
  return [...evm, ...svm]
    .filter(({ network, urls }) => urls.length > 0 && !served.has(network))
    .map(({ network, variable, keys }) =>
      warning(
        variable,
        `endpoint without signer: ${networkRow(network).title} is not served`,
        `set ${keys}, or remove the endpoint`,
      ),
    )
}

type Signer = { network: string; address: string; count: bigint }

async function ledgerFault(db: Db | null, what: string, { network, address, count }: Signer): Promise<Finding | null> {
  const lane = await db?.lane
    .findUnique({ where: { network_address: { network, address: address.toLowerCase() } } })
    .catch(noLanes)
  if (!lane) return null
  if (lane.status === 'quarantined')
    return wrong(what, 'its lane is quarantined', 'see LaneQuarantined in docs/operations.md before it is used again')
  const next = lane.nextNonce
  if (next === null || count <= next) return null
  return wrong(
    what,
    `the chain counts ${count} transactions and the ledger ${next}`,
    'another program uses the key, or the database is an old copy: see LaneQuarantined in docs/operations.md',
  )
}

// A database without response or tables is a separate finding.
const noLanes = () => null
