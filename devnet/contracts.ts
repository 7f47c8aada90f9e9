import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Abi, type Address, encodeDeployData, encodeFunctionData, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { usdcAbi } from './abi'
import type { ChainClient } from './client'
import { localNetwork, multicallAt } from './networks'

type ContractName = 'TestUsdc' | 'SilentToken' | 'TestWallet' | 'Multicall3'
type Artifact = { abi: Abi; bytecode: Hex }
type Artifacts = Record<ContractName, Artifact>

const root = join(import.meta.dirname, '..')
const contractsFolder = join(import.meta.dirname, 'contracts')
const cacheFolder = join(root, 'node_modules', '.cache', 'quittance')
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 10_000 },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
}
const gasLimit = 8_000_000n

/** Puts USDC and Multicall3 where the real network has them; a chain loaded from its state file has them already. */
export async function deployStandardContracts(client: ChainClient, chainId: number): Promise<void> {
  const { usdc, tokenName, tokenVersion, chain } = localNetwork(chainId)
  await Promise.all([
    place(client, usdc, 'TestUsdc', [tokenName, tokenVersion]),
    place(client, multicallAt(chain), 'Multicall3', []),
  ])
}

async function place(client: ChainClient, address: Address, name: ContractName, args: unknown[]): Promise<void> {
  if (await client.getCode({ address })) return
  // A call of a contract's creation code returns its runtime code, constructor arguments included.
  const { data } = await client.call({ data: creation(name, args) })
  if (!data) throw new Error(`${name} has no runtime code`)
  await client.setCode({ address, bytecode: data })
}

function creation(name: ContractName, args: unknown[]): Hex {
  const { abi, bytecode } = artifacts()[name]
  return encodeDeployData({ abi, bytecode, args })
}

export type Deployer = {
  mint: (token: Address, to: Address, amount: bigint) => Promise<void>
  deploy: (name: ContractName, args: unknown[]) => Promise<Address>
}

/** A new funded account that mints and deploys, one transaction after the other. */
export function createDeployer(client: ChainClient, chainId: number, afterSend: () => Promise<void>): Deployer {
  const account = privateKeyToAccount(generatePrivateKey())
  const { chain } = localNetwork(chainId)
  let nonce: number | undefined = 0
  let last: Promise<unknown> = client.setBalance({ address: account.address, value: parseEther('1000000') })
  const send = (transaction: { to?: Address; data: Hex }) => {
    const sent = last.then(async () => {
      // After a failed send only the chain knows whether the transaction arrived.
      const next = nonce ?? (await client.getTransactionCount({ address: account.address, blockTag: 'pending' }))
      nonce = undefined
      const hash = await client.sendTransaction({ ...transaction, account, chain, nonce: next, gas: gasLimit })
      nonce = next + 1
      await afterSend()
      const receipt = await client.waitForTransactionReceipt({ hash })
      if (receipt.status !== 'success') throw new Error(`The deployer's transaction ${hash} reverted`)
      return receipt
    })
    last = sent.catch(() => {})
    return sent
  }
  return {
    mint: async (token, to, amount) => {
      await send({ to: token, data: encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [to, amount] }) })
    },
    deploy: async (name, args) => {
      const { contractAddress } = await send({ data: creation(name, args) })
      if (!contractAddress) throw new Error(`${name} has no address`)
      return contractAddress
    },
  }
}

let compiled: Artifacts | undefined

/** The contracts of `contracts/`, ready to deploy; compiled once per change of a source or of the compiler. */
function artifacts(): Artifacts {
  compiled ??= fromCache()
  return compiled
}

function fromCache(): Artifacts {
  const sources = readSources()
  const key = createHash('sha256')
    .update(JSON.stringify([compilerVersion(), settings, sources]))
    .digest('hex')
  const file = join(cacheFolder, `contracts-${key.slice(0, 32)}.json`)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Artifacts
  } catch {
    const built = compile(sources)
    // Test workers may compile at the same time; after a rename each of them reads a whole file.
    mkdirSync(cacheFolder, { recursive: true })
    const draft = `${file}.${randomUUID()}`
    writeFileSync(draft, JSON.stringify(built))
    renameSync(draft, file)
    return built
  }
}

function readSources(): Record<string, { content: string }> {
  const names = readdirSync(contractsFolder).filter((name) => name.endsWith('.sol'))
  return Object.fromEntries(names.sort().map((name) => [name, { content: readFileSync(join(contractsFolder, name), 'utf8') }]))
}

const require = createRequire(import.meta.url)

function compilerVersion(): string {
  const manifest = require('solc/package.json') as { version: string }
  return manifest.version
}

type CompilerOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

function compile(sources: Record<string, { content: string }>): Artifacts {
  // Loaded only when needed: the compiler takes a second and 100 MB to load.
  const solc = require('solc') as { compile: (input: string) => string }
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }))) as CompilerOutput
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const contract = (name: ContractName): Artifact => {
    const found = output.contracts?.[`${name}.sol`]?.[name]
    if (!found) throw new Error(`devnet/contracts/${name}.sol has no contract ${name}`)
    return { abi: found.abi, bytecode: `0x${found.evm.bytecode.object}` }
  }
  return {
    TestUsdc: contract('TestUsdc'),
    SilentToken: contract('SilentToken'),
    TestWallet: contract('TestWallet'),
    Multicall3: contract('Multicall3'),
  }
}
