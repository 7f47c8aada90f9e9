import { createHash, randomUUID } from 'node:crypto'
import {
  address,
  appendTransactionMessageInstructions,
  blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getTransactionEncoder,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { readTransaction, type WireTransaction } from './wire'

export const systemProgram = '11111111111111111111111111111111'
const memoProgram = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

/** The account that pays airdrops; its key derives from the chain's seed. */
export function faucetSigner(seed: string): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(createHash('sha256').update(`${seed}:faucet`).digest())
}

/** A signed transfer from the faucet; a random memo makes each one different. */
export async function airdropTransaction(
  faucet: KeyPairSigner,
  to: string,
  lamports: bigint,
  newestBlockhash: string,
): Promise<WireTransaction> {
  const transfer = Buffer.alloc(12)
  transfer.writeUInt32LE(2, 0)
  transfer.writeBigUInt64LE(lamports, 4)
  const accounts = [
    { address: faucet.address, role: 3 },
    { address: address(to), role: 1 },
  ]
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(faucet, empty),
    // The client does not wait for expiry: the transfer is in the next block or in none.
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash: blockhash(newestBlockhash), lastValidBlockHeight: 0n }, paid),
    (dated) =>
      appendTransactionMessageInstructions(
        [
          { programAddress: address(systemProgram), accounts, data: transfer },
          { programAddress: address(memoProgram), data: Buffer.from(randomUUID()) },
        ],
        dated,
      ),
  )
  const signed = await signTransactionMessageWithSigners(message)
  return readTransaction(new Uint8Array(getTransactionEncoder().encode(signed)))
}
