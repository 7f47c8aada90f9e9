import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseEther,
  type SignedAuthorization,
  type TransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { usdcAbi } from './abi'
import { artifact, type ContractName } from './artifacts'
import type { ChainClient } from './client'
import {
  batchSettlementAddress,
  erc3009CollectorAddress,
  exactProxyAddress,
  localNetwork,
  multicallAt,
  permit2Address,
  permit2CollectorAddress,
  uptoProxyAddress,
} from './networks'

const gasLimit = 8_000_000n

/** Puts USDC, Multicall3, Permit2 and x402's contracts where the real network has them; a chain loaded from its state file has them already. */
export async function deployStandardContracts(client: ChainClient, chainId: number): Promise<void> {
  const { usdc, tokenName, tokenVersion, chain } = localNetwork(chainId)
  const contracts: [Address, ContractName, unknown[]][] = [
    [usdc, 'TestUsdc', [tokenName, tokenVersion]],
    [multicallAt(chain), 'Multicall3', []],
    [permit2Address, 'Permit2', []],
    [exactProxyAddress, 'ExactPermit2Proxy', [permit2Address]],
    [uptoProxyAddress, 'UptoPermit2Proxy', [permit2Address]],
    [batchSettlementAddress, 'BatchSettlement', []],
    [erc3009CollectorAddress, 'BatchErc3009Collector', [batchSettlementAddress]],
    [permit2CollectorAddress, 'BatchPermit2Collector', [batchSettlementAddress, permit2Address]],
  ]
  // One at a time: a node that gets all of them at once sometimes answers none.
  for (const [address, name, args] of contracts) await place(client, address, name, args)
}

/** Puts a contract's runtime code at this address, unless code is there. Storage that its constructor writes is lost. */
export async function place(client: ChainClient, address: Address, name: ContractName, args: unknown[]): Promise<void> {
  if (await client.getCode({ address })) return
  const key = JSON.stringify([client.chain.id, address, name, args])
  const bytecode = runtimes.get(key) ?? (await runtime(client, address, name, args))
  runtimes.set(key, bytecode)
  await client.setCode({ address, bytecode })
}

/** Runtime codes of this process: most of its chains have the same contracts. */
const runtimes = new Map<string, Hex>()

/** A call of a contract's creation code returns its runtime code. It runs at the address, whose hash Permit2's code holds. */
async function runtime(client: ChainClient, address: Address, name: ContractName, args: unknown[]): Promise<Hex> {
  const { data } = await client.call({ to: address, stateOverride: [{ address, code: creation(name, args) }] })
  if (!data) throw new Error(`${name} has no runtime code`)
  return data
}

function creation(name: ContractName, args: unknown[]): Hex {
  const { abi, bytecode } = artifact(name)
  return encodeDeployData({ abi, bytecode, args })
}

type Deployer = {
  mint: (token: Address, to: Address, amount: bigint) => Promise<void>
  deploy: (name: ContractName, args: unknown[]) => Promise<Address>
  send: (to: Address, data: Hex) => Promise<TransactionReceipt>
  delegate: (account: LocalAccount, implementation: Address) => Promise<void>
}

type Sending = { to?: Address; data: Hex; authorizationList?: SignedAuthorization[] }

/** A new funded account that mints, deploys and sends, one transaction after the other. */
export function createDeployer(client: ChainClient, chainId: number, afterSend: () => Promise<void>): Deployer {
  const account = privateKeyToAccount(generatePrivateKey())
  const { chain } = localNetwork(chainId)
  let nonce: number | undefined = 0
  let last: Promise<unknown> = client.setBalance({ address: account.address, value: parseEther('1000000') })
  // A chain may stop before this; a transaction that waits for it throws it.
  last.catch(() => {})
  const send = (transaction: Sending) => {
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
    send: (to, data) => send({ to, data }),
    delegate: async (delegating, implementation) => {
      const { address, signAuthorization } = delegating
      if (!signAuthorization) throw new Error('this account cannot sign a delegation')
      const authorization = await signAuthorization({
        address: implementation,
        chainId,
        nonce: await client.getTransactionCount({ address }),
      })
      await send({ to: address, data: '0x', authorizationList: [authorization] })
    },
  }
}
