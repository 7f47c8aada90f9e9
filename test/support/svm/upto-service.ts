import { addressOf } from '../../../devnet/solana/keys'
import { newMerchant } from '../service/surface'
import { channelAt } from './channels'
import { type SvmHarness, type SvmHarnessOptions, startSvmHarness } from './harness'
import { UPTO_MAXIMUM, uptoPayment, uptoRequirements } from './upto'

const CHANNEL_SECRETS = 'the secret of the channels of the tests'

type Client = Awaited<ReturnType<typeof newMerchant>>

/** A service with `upto` on a local Solana mainnet, whose fee payer has an account of USDC. */
export async function startUptoService(options: Pick<SvmHarnessOptions, 'seams' | 'env' | 'slotMs'> = {}) {
  const harness = await startSvmHarness({
    mainnet: true,
    ...options,
    env: { SVM_UPTO: '1', CHANNEL_SECRETS, ...options.env },
  })
  const chain = harness.mainnet()
  const feePayer = addressOf(harness.env.SOLANA_SIGNER_KEYS ?? '')
  await chain.openAccount(feePayer)
  const merchant = await newMerchant(harness.app)
  return { ...harness, chain, feePayer, merchant, paying: (change: Paying = {}) => paying({ ...harness, merchant }, change) }
}

type Offer = { feePayer: string; receiverAuthorizer: string }
/** `offer`: read from the service of `by` if unset. */
type Paying = { offer?: Offer | undefined; balance?: bigint; payTo?: string; by?: Client; asked?: object; extra?: object }

/** The offer that official servers read from /supported; undefined without one. */
export async function uptoOffer(client: Pick<Client, 'v1'>): Promise<Offer | undefined> {
  const { kinds } = Object((await client.v1.supported()).body)
  return kinds.find(
    ({ scheme, network }: { scheme: string; network: string }) => scheme === 'upto' && network.startsWith('solana:'),
  )?.extra
}

/** A payment of the official client by a new payer to a new recipient, on the offer of a merchant. */
async function paying(
  { mainnet, payer: newPayer, recipient, merchant }: Pick<SvmHarness, 'mainnet' | 'payer' | 'recipient'> & { merchant: Client },
  { balance = 1_000_000n, by = merchant, asked = {}, extra = {}, ...change }: Paying,
) {
  const chain = mainnet()
  const offer = change.offer ?? (await uptoOffer(by))
  if (!offer) throw new Error('upto is not offered')
  const payer = await newPayer(balance, chain)
  const payTo = change.payTo ?? (await recipient(chain))
  const parties = {
    payer,
    payTo,
    feePayer: offer.feePayer,
    authorizer: offer.receiverAuthorizer,
    network: chain.network,
    asset: chain.mint,
    rpcUrl: chain.url,
  }
  const requirements = { ...uptoRequirements(parties, extra), ...asked }
  const payment = await uptoPayment(parties, requirements)
  return {
    ...payment,
    payer,
    payTo,
    channel: () => channelAt(chain, payment.channelId),
    /** What payer and payee have. */
    held: async () => [await chain.tokens(payer.address), await chain.tokens(payTo)],
    maximum: UPTO_MAXIMUM,
  }
}
