// A merchant with the official server, as a process of its own, that keeps its channels at the facilitator.
import { NETWORK, startStream } from '../../../test/interop/stream'
import { QuittanceChannels } from '../src/index'
import type { StreamMerchantSettings } from './settings'

const { facilitator, usdc, receiver, maxTimeoutSeconds }: StreamMerchantSettings = JSON.parse(process.env.MERCHANT ?? '{}')
const storage = new QuittanceChannels({ url: facilitator, network: NETWORK })
const { url } = await startStream({ usdc }, facilitator, receiver, { storage, maxTimeoutSeconds })
console.log(`port ${new URL(url).port}`)
