import { address, generateKeyPairSigner, type Instruction, type KeyPairSigner, lamports } from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  type ExtensionArgs,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToCheckedInstruction,
  getPostInitializeInstructionsForMintExtensions,
  getPreInitializeInstructionsForMintExtensions,
} from '@solana-program/token-2022'
import { newSecretKey, signerOf } from '../../../devnet/solana/keys'
import type { Solana } from '../../../devnet/solana/solana'
import { signed } from '../../../devnet/solana/transfers'
import { PROGRAMS, svmTokenAccount } from './forge'
import { ask, blockhashOf, SOL } from './harness'

type MintOptions = {
  /** Token-2022 if unset. */
  program?: string
  decimals?: number
  extensions?: (authority: string) => ExtensionArgs[]
}

/** A mint on a local chain, made by the token program's own instructions. Amounts are atomic units. */
export type TestMint = {
  mint: string
  program: string
  decimals: number
  authority: KeyPairSigner
  /** Opens the associated account of an owner and adds tokens; resolves with its address. */
  mintTo: (owner: string, amount: bigint) => Promise<string>
  /** The tokens of an owner's associated account; 0 without one. */
  tokens: (owner: string) => Promise<bigint>
}

/** Creates a mint with these extensions, as an issuer does. */
export async function createMint(on: Solana, options: MintOptions = {}): Promise<TestMint> {
  const { program = PROGRAMS.token2022, decimals = 6 } = options
  const authority = await signerOf(newSecretKey())
  await on.airdrop(authority.address, SOL)
  const mint = await generateKeyPairSigner()
  const extensions = options.extensions?.(authority.address) ?? []
  const programAddress = address(program)
  // Metadata is added after the initialization, and its rent is paid in advance.
  const fixed = extensions.filter(({ __kind }) => __kind !== 'TokenMetadata')
  await land(on, authority, [
    getCreateAccountInstruction({
      payer: authority,
      newAccount: mint,
      programAddress,
      lamports: lamports(SOL / 10n),
      space: program === PROGRAMS.token ? 82 : getMintSize(fixed.length > 0 ? fixed : undefined),
    }),
    ...getPreInitializeInstructionsForMintExtensions(mint.address, extensions),
    getInitializeMint2Instruction(
      { mint: mint.address, decimals, mintAuthority: authority.address, freezeAuthority: authority.address },
      { programAddress },
    ),
    ...getPostInitializeInstructionsForMintExtensions(mint.address, authority, extensions),
  ])
  return {
    mint: mint.address,
    program,
    decimals,
    authority,
    async mintTo(owner, amount) {
      const token = await svmTokenAccount(owner, mint.address, program)
      const open = await getCreateAssociatedTokenIdempotentInstructionAsync({
        payer: authority,
        owner: address(owner),
        mint: mint.address,
        tokenProgram: programAddress,
      })
      const add = getMintToCheckedInstruction(
        { mint: mint.address, token: address(token), mintAuthority: authority, amount, decimals },
        { programAddress },
      )
      await land(on, authority, amount > 0n ? [open, add] : [open])
      return token
    },
    async tokens(owner) {
      const account = await svmTokenAccount(owner, mint.address, program)
      const { value } = await ask<{ value: { data: [string, string] } | null }>(on.url, 'getAccountInfo', [
        account,
        { encoding: 'base64', commitment: 'processed' },
      ])
      return value ? Buffer.from(value.data[0], 'base64').readBigUInt64LE(64) : 0n
    },
  }
}

/** Sends instructions in one transaction and adds blocks until it is confirmed. Throws when it fails. */
export async function land(on: Solana, feePayer: KeyPairSigner, instructions: readonly Instruction[]): Promise<string> {
  const { raw, signature } = await signed(feePayer, await blockhashOf(on), ...instructions)
  await ask(on.url, 'sendTransaction', [raw, { encoding: 'base64', skipPreflight: true }])
  await on.advance(3)
  const { value } = await ask<{ value: ({ err: unknown } | null)[] }>(on.url, 'getSignatureStatuses', [[signature]])
  if (value[0]?.err !== null) throw new Error(`a transaction of the test failed: ${JSON.stringify(value[0])}`)
  return signature
}
