import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

export type ContractName = 'TestUsdc' | 'SilentToken' | 'TestWallet' | 'Multicall3'
export type Artifact = { abi: Abi; bytecode: Hex }
export type Artifacts = Record<ContractName, Artifact>

const root = join(import.meta.dirname, '..')
const contractsFolder = join(import.meta.dirname, 'contracts')
const cacheFolder = join(root, 'node_modules', '.cache', 'quittance')
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 10_000 },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
}

let compiled: Artifacts | undefined

/** The devnet's contracts, ready to deploy; compiled once per change of a source or of the compiler. */
export function artifacts(): Artifacts {
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
    // Test workers may compile at the same time: a rename never shows anyone half a file.
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
  // Loaded only when it is needed: the compiler takes a second and 100 MB to wake up.
  const solc = require('solc') as { compile: (input: string) => string }
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }))) as CompilerOutput
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const contract = (name: ContractName): Artifact => {
    const found = output.contracts?.[`${name}.sol`]?.[name]
    if (!found) throw new Error(`devnet/contracts/${name}.sol holds no contract ${name}`)
    return { abi: found.abi, bytecode: `0x${found.evm.bytecode.object}` }
  }
  return {
    TestUsdc: contract('TestUsdc'),
    SilentToken: contract('SilentToken'),
    TestWallet: contract('TestWallet'),
    Multicall3: contract('Multicall3'),
  }
}
