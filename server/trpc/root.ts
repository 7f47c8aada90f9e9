import { admin } from './admin'
import { agent } from './agent'
import { router } from './base'
import { keys } from './keys'
import { merchant } from './merchant'
import { payer } from './payer'
import { session } from './session'
import { settlements } from './settlements'
import { webhooks } from './webhooks'

/** Everything that the dashboard asks and does. */
export const root = router({ session, settlements, merchant, keys, webhooks, payer, agent, admin })

export type Root = typeof root
