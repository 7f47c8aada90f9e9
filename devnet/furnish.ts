import { type Address, encodeDeployData, encodeFunctionData, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { usdcAbi } from './abi'
import type { ChainClient } from './client'
import { artifacts, type ContractName } from './compile'
import { type ChainId, multicallAddress, networks } from './networks'

const plentyOfGas = 8_000_000n

/** Puts USDC and Multicall3 where the real network has them; a chain loaded from its state file has them already. */
export async function furnish(client: ChainClient, chainId: ChainId): Promise<void> {
  const { usdc, tokenName, tokenVersion } = networks[chainId]
  await Promise.all([
    place(client, usdc, 'TestUsdc', [tokenName, tokenVersion]),
    place(client, multicallAddress, 'Multicall3', []),
  ])
}

async function place(client: ChainClient, address: Address, name: ContractName, args: unknown[]): Promise<void> {
  if (await client.getCode({ address })) return
  // Calling a contract's creation code answers its runtime code, constructor arguments included.
  const { data } = await client.call({ data: creation(name, args) })
  if (!data) throw new Error(`${name} has no runtime code`)
  await client.setCode({ address, bytecode: data })
}

function creation(name: ContractName, args: unknown[]): Hex {
  const { abi, bytecode } = artifacts()[name]
  return encodeDeployData({ abi, bytecode, args })
}

export type House = {
  mint: (token: Address, to: Address, amount: bigint) => Promise<void>
  deploy: (name: ContractName, args: unknown[]) => Promise<Address>
}

/** An account of this run alone that mints and deploys, one transaction after the other. */
export function createHouse(client: ChainClient, chainId: ChainId, afterSend: () => Promise<void>): House {
  const account = privateKeyToAccount(generatePrivateKey())
  const { chain } = networks[chainId]
  let nonce: number | undefined = 0
  let last: Promise<unknown> = client.setBalance({ address: account.address, value: parseEther('1000000') })
  const send = (transaction: { to?: Address; data: Hex }) => {
    const sent = last.then(async () => {
      // After a send that failed only the chain knows whether it came.
      const next = nonce ?? (await client.getTransactionCount({ address: account.address, blockTag: 'pending' }))
      nonce = undefined
      const hash = await client.sendTransaction({ ...transaction, account, chain, nonce: next, gas: plentyOfGas })
      nonce = next + 1
      await afterSend()
      const receipt = await client.waitForTransactionReceipt({ hash })
      if (receipt.status !== 'success') throw new Error(`The house's transaction ${hash} reverted`)
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
