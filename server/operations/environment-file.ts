import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { createSigner } from '../chains/evm/signer'
import { createSvmSigner } from '../chains/svm/signer'
import { prefixOf } from '../env/networks'
import { toBase58 } from '../x402/encodings'
import { ALWAYS } from '../x402/networks/always-on-networks'
import { builtInNetworks } from '../x402/networks/built-in-networks'
import type { NetworkRow } from '../x402/networks/rows'

/** A network that the operator names, with its endpoints if they are known. */
export type Asked = { row: NetworkRow; urls: string }

const rows: readonly NetworkRow[] = [...ALWAYS.map(([, row]) => row), ...builtInNetworks]

/** Reads `base` or `base-sepolia=https://…`. Throws for no network, and for a name or a URL that cannot be used, with what can be. */
export function readAsked(words: readonly string[]): Asked[] {
  const names = rows.map(({ name }) => name).join(', ')
  if (words.length === 0) throw new Error(`Name the networks: npm run init -- base-sepolia=https://…\nThere are ${names}.`)
  return words.map((word) => {
    const [name = '', ...rest] = word.split('=')
    const row = rows.find((one) => one.name === name)
    if (!row) throw new Error(`There is no network ${name}. There are ${names}.`)
    const urls = rest.join('=')
    if (urls.split(',').some((url) => url !== '' && !z.url({ protocol: /^https?$/ }).safeParse(url).success))
      throw new Error(`The endpoint of ${name} is no http(s) URL.`)
    return { row, urls }
  })
}

/** A new file of variables, and the addresses of its new signers, which need coins. */
export type EnvironmentFile = { text: string; signers: { address: string; on: string[] }[] }

const OF_A_NETWORK = /^([A-Z0-9_]+?)_(?:FLASH_RPC_URL|SEND_RPC_URL|RPC_URL|SIGNER_KEYS)$/

/**
 * The example with secrets and signers of its own, and with the variables of the named networks. It leaves out those of other networks,
 * unless every process knows them.
 */
export function environmentFile(example: string, asked: readonly Asked[]): EnvironmentFile {
  const signers: EnvironmentFile['signers'] = []
  const values = new Map([
    ['ADMIN_KEY', randomBytes(32).toString('hex')],
    ['AUTH_SECRET', randomBytes(32).toString('hex')],
    ...asked.map(({ row, urls }): [string, string] => [`${variablesOf(row)}_RPC_URL`, urls]),
  ])
  const evm = asked.map(({ row }) => row).filter(({ family }) => family === 'evm')
  const svm = asked.map(({ row }) => row).filter(({ family }) => family === 'svm')
  const give = (variable: string, networks: readonly NetworkRow[], { key, address }: Key) => {
    if (networks.length === 0) return
    values.set(variable, key)
    signers.push({ address, on: networks.map(({ title }) => title) })
  }
  give('EVM_SIGNER_KEYS', evm, newEvmKey())
  give(
    'EVM_SANDBOX_SIGNER_KEYS',
    evm.filter(({ testnet }) => testnet),
    newEvmKey(),
  )
  give(
    'SOLANA_SIGNER_KEYS',
    svm.filter(({ testnet }) => !testnet),
    newSvmKey(),
  )
  give(
    'SOLANA_SANDBOX_SIGNER_KEYS',
    svm.filter(({ testnet }) => testnet),
    newSvmKey(),
  )

  const wanted = new Set(asked.map(({ row }) => variablesOf(row)))
  const others = new Set(builtInNetworks.map(variablesOf).filter((prefix) => !wanted.has(prefix)))
  const lines = example.split('\n').flatMap((line) => {
    const [, name] = /^(?:# )?([A-Z][A-Z0-9_]*)=/.exec(line) ?? []
    if (name === undefined) return [line]
    if (others.has(OF_A_NETWORK.exec(name)?.[1] ?? '')) return []
    const value = values.get(name)
    return [value === undefined ? line : `${name}=${value}`]
  })
  return { text: lines.join('\n'), signers }
}

const variablesOf = ({ name }: Pick<NetworkRow, 'name'>): string => prefixOf({ name })

type Key = { key: string; address: string }

function newEvmKey(): Key {
  const key = `0x${randomBytes(32).toString('hex')}` as const
  return { key, address: createSigner(key).address }
}

function newSvmKey(): Key {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const key = toBase58(Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]))
  return { key, address: createSvmSigner(key).address }
}
