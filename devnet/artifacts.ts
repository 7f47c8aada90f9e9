import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Abi, Hex } from 'viem'

/** A contract's interface and its creation code. */
type Artifact = { abi: Abi; bytecode: Hex }

/** Our own contracts, each in `contracts/` in a file of its name. */
const own = [
  'TestUsdc',
  'SilentToken',
  'HostileToken',
  'PlainToken',
  'PermitToken',
  'KeyToken',
  'TestWallet',
  'WalletFactory',
  'HostileFactory',
  'Multicall3',
  'ExactPermit2Proxy',
  'UptoPermit2Proxy',
  'BatchSettlement',
  'BatchErc3009Collector',
  'BatchPermit2Collector',
] as const
/** Contracts that the package `@account-abstraction/contracts` has compiled. */
const packaged = ['EntryPoint', 'SimpleAccountFactory', 'Simple7702Account'] as const

type OwnName = (typeof own)[number]
type PackagedName = (typeof packaged)[number]

/** A contract that local chains may have. */
export type ContractName = OwnName | 'Permit2' | PackagedName

type Sources = Record<string, { content: string }>
type Compilation = { compiler: string; names: readonly string[]; sources: () => Sources; settings: object }

const require = createRequire(import.meta.url)
const contractsFolder = join(import.meta.dirname, 'contracts')
const cacheFolder = join(import.meta.dirname, '..', 'node_modules', '.cache', 'quittance')
const outputSelection = { '*': { '*': ['abi', 'evm.bytecode.object'] } }

const ours: Compilation = {
  compiler: 'solc',
  names: own,
  sources: () => sourcesOf(contractsFolder, ''),
  settings: { evmVersion: 'cancun', optimizer: { enabled: true, runs: 10_000 }, outputSelection },
}

/** Uniswap's own source and settings, so that a payment costs the gas that it costs on a real network. */
const permit2: Compilation = {
  compiler: 'solc-0.8.17',
  names: ['Permit2'],
  sources: () => {
    const root = join(dirname(require.resolve('@uniswap/v4-periphery/package.json')), 'lib', 'permit2')
    return {
      ...sourcesOf(join(root, 'src'), ''),
      ...sourcesOf(join(root, 'lib', 'solmate', 'src', 'tokens'), 'solmate/src/tokens/'),
      ...sourcesOf(join(root, 'lib', 'solmate', 'src', 'utils'), 'solmate/src/utils/'),
    }
  },
  settings: {
    viaIR: true,
    metadata: { bytecodeHash: 'none' },
    optimizer: { enabled: true, runs: 1_000_000 },
    outputSelection: { 'Permit2.sol': outputSelection['*'] },
  },
}

const built = new Map<Compilation, Record<string, Artifact>>()

/** A contract, ready to deploy. It is compiled once per change of a source or of the compiler, for all processes. */
export function artifact(name: ContractName): Artifact {
  if (packaged.some((other) => other === name)) {
    return require(`@account-abstraction/contracts/artifacts/${name}.json`) as Artifact
  }
  const found = artifactsOf(name === 'Permit2' ? permit2 : ours)[name]
  if (!found) throw new Error(`The contract ${name} was not compiled`)
  return found
}

function artifactsOf(compilation: Compilation): Record<string, Artifact> {
  const known = built.get(compilation) ?? fromCache(compilation)
  built.set(compilation, known)
  return known
}

function fromCache(compilation: Compilation): Record<string, Artifact> {
  const sources = compilation.sources()
  const { version } = require(`${compilation.compiler}/package.json`) as { version: string }
  const key = createHash('sha256')
    .update(JSON.stringify([version, compilation.settings, compilation.names, sources]))
    .digest('hex')
  const file = join(cacheFolder, `contracts-${key.slice(0, 32)}.json`)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Artifact>
  } catch {
    const artifacts = compile(compilation, sources)
    // Test workers may compile at the same time; after a rename each of them reads a whole file.
    mkdirSync(cacheFolder, { recursive: true })
    const draft = `${file}.${randomUUID()}`
    writeFileSync(draft, JSON.stringify(artifacts))
    renameSync(draft, file)
    return artifacts
  }
}

/** The Solidity files of a folder and its folders, by their path in it after a prefix. */
function sourcesOf(folder: string, prefix: string): Sources {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sol'))
  return Object.fromEntries(
    names.sort().map((name) => [prefix + name.replaceAll('\\', '/'), { content: readFileSync(join(folder, name), 'utf8') }]),
  )
}

type CompilerOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

function compile({ compiler, names, settings }: Compilation, sources: Sources): Record<string, Artifact> {
  // Loaded only when needed: a compiler takes a second and 100 MB to load.
  const solc = require(compiler) as { compile: (input: string) => string }
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }))) as CompilerOutput
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const contract = (name: string): Artifact => {
    const found = output.contracts?.[`${name}.sol`]?.[name]
    if (!found) throw new Error(`${name}.sol has no contract ${name}`)
    return { abi: found.abi, bytecode: `0x${found.evm.bytecode.object}` }
  }
  return Object.fromEntries(names.map((name) => [name, contract(name)]))
}
