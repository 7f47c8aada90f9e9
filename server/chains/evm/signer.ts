import secp256k1 from 'secp256k1'
import { bytesToHex, type Hex, hexToBytes, keccak256, serializeTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { addressOf } from './recover'

/** A key that signs transactions of a lane. The key itself never leaves the closure. */
export type Signer = {
  /** Lower case. */
  address: Hex
  sign(transaction: TransactionSerializableEIP1559): { raw: Hex; hash: Hex }
}

/** A signer over a 32-byte private key in hex. Throws when the key is not one; the message never holds the key. */
export function createSigner(privateKey: Hex): Signer {
  // Checked before viem reads it: viem's own complaint quotes the text.
  const key = /^0x[0-9a-fA-F]{64}$/.test(privateKey) ? hexToBytes(privateKey) : null
  if (!key || !secp256k1.privateKeyVerify(key)) throw new Error('a signer key must be 32 bytes in hex, 0x first')
  return {
    address: addressOf(secp256k1.publicKeyCreate(key, false)),
    sign(transaction) {
      const { signature, recid } = secp256k1.ecdsaSign(hexToBytes(keccak256(serializeTransaction(transaction))), key)
      const raw = serializeTransaction(transaction, {
        r: bytesToHex(signature.subarray(0, 32)),
        s: bytesToHex(signature.subarray(32)),
        yParity: recid,
      })
      return { raw, hash: keccak256(raw) }
    },
  }
}
