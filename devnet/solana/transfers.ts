import {
  address,
  appendTransactionMessageInstructions,
  blockhash as asBlockhash,
  type Base64EncodedWireTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type KeyPairSigner,
  pipe,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { systemProgram } from './faucet'
import { associatedAddress, tokenProgram } from './tokens'

/** A signed transaction in base64, and the signature that names it. */
export type Signed = { raw: Base64EncodedWireTransaction; signature: Signature }
type Instruction = Parameters<typeof appendTransactionMessageInstructions>[0][number]

/** A signed transfer of USDC between the associated accounts of two owners; the sender pays the fee. */
export async function tokenTransfer(
  from: KeyPairSigner,
  to: string,
  amount: bigint,
  mint: string,
  blockhash: string,
): Promise<Signed> {
  const data = Buffer.alloc(10)
  data.writeUInt8(12, 0)
  data.writeBigUInt64LE(amount, 1)
  data.writeUInt8(6, 9)
  const accounts = [
    { address: address(await associatedAddress(from.address, mint)), role: 1 },
    { address: address(mint), role: 0 },
    { address: address(await associatedAddress(to, mint)), role: 1 },
    { address: from.address, role: 2 },
  ]
  return signed(from, blockhash, { programAddress: address(tokenProgram), accounts, data })
}

/** A signed transfer of lamports; the sender pays the fee. */
export function lamportTransfer(from: KeyPairSigner, to: string, lamports: bigint, blockhash: string): Promise<Signed> {
  const data = Buffer.alloc(12)
  data.writeUInt32LE(2, 0)
  data.writeBigUInt64LE(lamports, 4)
  const accounts = [
    { address: from.address, role: 3 },
    { address: address(to), role: 1 },
  ]
  return signed(from, blockhash, { programAddress: address(systemProgram), accounts, data })
}

/** A version 0 transaction of any instructions, signed by the fee payer and by the instructions' signers. */
export async function signed(feePayer: KeyPairSigner, blockhash: string, ...instructions: Instruction[]): Promise<Signed> {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: asBlockhash(blockhash), lastValidBlockHeight: 0n }, paid),
    (dated) => appendTransactionMessageInstructions(instructions, dated),
  )
  const transaction = await signTransactionMessageWithSigners(message)
  return { raw: getBase64EncodedWireTransaction(transaction), signature: getSignatureFromTransaction(transaction) }
}
