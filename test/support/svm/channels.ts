import { address, createSolanaRpc, type KeyPairSigner } from '@solana/kit'
import { type ChannelAccount, channelProgram, readChannel } from '../../../devnet/solana/channels/account'
import type { Solana } from '../../../devnet/solana/solana'
import { tokenProgram } from '../../../devnet/solana/tokens'
import { signed } from '../../../devnet/solana/transfers'
import { tokensOf } from '../../../server/x402/schemes/upto/svm/program'

/** The channel at an address on a local chain; null when there is none. */
export async function channelAt({ url }: Solana, id: string): Promise<ChannelAccount | null> {
  const { value } = await createSolanaRpc(url).getAccountInfo(address(id), { encoding: 'base64', commitment: 'processed' }).send()
  return (value && readChannel(Buffer.from(value.data[0], 'base64'))) ?? null
}

/** What an account of so many bytes costs, lamports. */
export function rentOf({ url }: Solana, bytes: bigint): Promise<bigint> {
  return createSolanaRpc(url).getMinimumBalanceForRentExemption(bytes).send()
}

/** Calls the program of channels by its first byte, with these bytes behind it; resolves with the program's error, or null. Roles are those of kit. */
export async function callChannel(
  chain: Solana,
  signer: KeyPairSigner,
  first: number,
  accounts: readonly (readonly [address: string, role: number])[],
  args: readonly number[] = [],
): Promise<number | null> {
  const rpc = createSolanaRpc(chain.url)
  const { value } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const { raw, signature } = await signed(signer, value.blockhash, {
    programAddress: address(channelProgram),
    accounts: accounts.map(([one, role]) => ({ address: address(one), role })),
    data: Uint8Array.of(first, ...args),
  })
  await rpc.sendTransaction(raw, { encoding: 'base64', skipPreflight: true }).send()
  await chain.advance(2)
  const { value: statuses } = await rpc.getSignatureStatuses([signature]).send()
  if (!statuses[0]) throw new Error('the call did not land')
  const { err } = statuses[0]
  return err === null ? null : Number(Object(Object(err).InstructionError?.[1]).Custom)
}

/** An owner closes its empty USDC account. */
export async function closeTokens(chain: Solana, owner: KeyPairSigner): Promise<void> {
  const rpc = createSolanaRpc(chain.url)
  const { value } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const { raw } = await signed(owner, value.blockhash, {
    programAddress: address(tokenProgram),
    accounts: [
      { address: address(tokensOf(owner.address, chain.mint, tokenProgram)), role: 1 },
      { address: owner.address, role: 1 },
      { address: owner.address, role: 2 },
    ],
    data: Uint8Array.of(9),
  })
  await rpc.sendTransaction(raw, { encoding: 'base64', skipPreflight: true }).send()
  await chain.advance(2)
}

/** The payer of a channel puts this much more into it, below 256; resolves with the program's error, or null. */
export function topUpChannel(chain: Solana, payer: KeyPairSigner, id: string, amount: number): Promise<number | null> {
  const accounts = [
    [payer.address, 2],
    [id, 1],
    [tokensOf(payer.address, chain.mint, tokenProgram), 1],
    [tokensOf(id, chain.mint, tokenProgram), 1],
    [chain.mint, 0],
    [tokenProgram, 0],
  ] as const
  return callChannel(chain, payer, 3, accounts, [amount, 0, 0, 0, 0, 0, 0, 0])
}
