import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createPayer } from '@/devnet/payer'
import { addressOf, newSecretKey, signerOf } from '@/devnet/solana/keys'
import { startSolana } from '@/devnet/solana/solana'
import { fixture } from '@/test/support/fixture'
import { serveFacilitator } from '@/test/support/nodes/official-facilitator'
import { LONG } from '@/test/support/service/program-harness'
import { openMerchant } from '@/test/support/service/shown-programs'
import { officialPrograms } from '../../client/programs/merchants'

const feePayer = newSecretKey()

const world = fixture(async () => {
  const chain = await startSolana({ cluster: 'mainnet', slotMs: 200 })
  await chain.airdrop(addressOf(feePayer), 1_000_000_000n)
  const signer = toFacilitatorSvmSigner(await signerOf(feePayer), { defaultRpcUrl: chain.url })
  const facilitator = await serveFacilitator(new x402Facilitator().register(chain.network, new ExactSvmScheme(signer)))
  return {
    chain,
    facilitator,
    close: async () => {
      await facilitator.close()
      await chain.stop()
    },
  }
})

test.each(officialPrograms)(
  'the program for $name, filled in for Solana, sells to the official client',
  async ({ name, text }) => {
    const { chain, facilitator } = world
    const [payer, payTo] = [newSecretKey(), addressOf(newSecretKey())]
    await Promise.all([chain.mintTo(addressOf(payer), 100_000n), chain.openAccount(payTo)])
    const server = await openMerchant(name, text({ url: facilitator.url, network: chain.network, payTo }))
    try {
      const client = createPayer(generatePrivateKey(), { secretKey: payer, nodes: { [chain.network]: chain.url } })
      expect(await client.pay(server.url)).toMatchObject({
        status: 200,
        body: { weather: 'sunny' },
        payTo,
        receipt: { success: true, network: chain.network },
      })
    } finally {
      await server.close()
    }
  },
  LONG,
)
