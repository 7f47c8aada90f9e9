import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { connect } from '../devnet/client'
import { networks } from '../devnet/networks'
import { inDatabase } from './database'
import { place } from './place'

const QUARANTINED = `
  INSERT INTO "Lane" ("id", "network", "address", "class", "status", "nextNonce", "quarantinedAt", "quarantineWhy")
  VALUES ($1::uuid, $2, lower($3), 'production', 'quarantined', 0, now(), 'the chain knows transactions that the ledger does not')`

/** A signer of the ledger that has sent so many transactions which the ledger does not know, as after a restore. */
export async function quarantinedSigner(sent: number): Promise<Address> {
  const address = privateKeyToAddress(generatePrivateKey())
  await connect(84532, place().sepoliaUrl).setNonce({ address, nonce: sent })
  await inDatabase(QUARANTINED, [randomUUID(), networks[84532].id, address])
  return address
}
