import { z } from 'zod'
import { knownNetworks } from '../http/schemas'
import { merchantProcedure, router } from '../trpc/context'
import { addressInput } from '../x402/addresses'
import { atomic } from '../x402/atomic'
import { storable } from '../x402/json'
import { finalities } from '../x402/networks/finality'
import {
  changeOwnKey,
  changesOfOwnKey,
  endOwnSecret,
  listOwnKeys,
  makeOwnKey,
  OWN_KEYS_MAX,
  readOwnKey,
  revokeOwnKey,
  rotateOwnKey,
} from './own-keys'
import { presentOwnChange, presentOwnKey, presentOwnKeyWithQuota, presentPlans, presentWholeKey } from './present'
import { CLAIM_AFTER_S, GRACE_SECONDS } from './settings-schemas'

/** The key or webhook to rotate, and how long its earlier secret stays valid. */
export const rotation = z.object({
  id: z.uuid(),
  graceSeconds: z.int().min(0).max(GRACE_SECONDS.most).default(GRACE_SECONDS.usual),
})

const id = z.object({ id: z.uuid() })
const name = storable.trim().max(100, 'must have at most 100 characters')
const limits = z.object({
  allowedNetworks: knownNetworks.optional(),
  payToAllow: z.array(addressInput).max(50, 'must have at most 50 addresses').optional(),
  maxAmount: atomic
    .refine((amount) => amount > 0n, 'must be more than 0')
    .nullable()
    .optional(),
})
const settings = id.extend({
  name: name.optional(),
  historyEnabled: z.boolean().optional(),
  shareTransactions: z.boolean().optional(),
  waitUntil: z.enum(finalities).nullable().optional(),
  publicReceipts: z.boolean().optional(),
  claimAbove: atomic
    .refine((amount) => amount > 0n, 'must be more than 0')
    .nullable()
    .optional(),
  claimAfterSeconds: z.int().min(CLAIM_AFTER_S.least).max(CLAIM_AFTER_S.most).nullable().optional(),
  claimMaxGasPrice: atomic.nullable().optional(),
  ...limits.shape,
})

/** A merchant's API keys. Only the response that creates a secret contains it. */
export const keys = router({
  list: merchantProcedure.query(async ({ ctx }) => {
    return { most: OWN_KEYS_MAX, keys: (await listOwnKeys(ctx.app, ctx.owner)).map(presentOwnKeyWithQuota) }
  }),
  one: merchantProcedure
    .input(id)
    .query(async ({ ctx, input }) => presentWholeKey(await readOwnKey(ctx.app, ctx.owner, input.id))),
  /** The plans with their prices, and where to ask for another one. */
  plans: merchantProcedure.query(({ ctx }) => presentPlans(ctx.app.config)),
  /** What changed in a key and its secrets, newest first. */
  changes: merchantProcedure
    .input(id)
    .query(async ({ ctx, input }) => (await changesOfOwnKey(ctx.app, ctx.owner, input.id)).map(presentOwnChange)),
  create: merchantProcedure.input(limits.extend({ name })).mutation(async ({ ctx, input: { name, ...limits } }) => {
    const { tenant, secret } = await makeOwnKey(ctx.app, ctx, { ...named(limits), name })
    return { ...presentOwnKey(tenant), secret, url: `${ctx.app.config.baseUrl}/v1/${secret}` }
  }),
  configure: merchantProcedure.input(settings).mutation(async ({ ctx, input: { id, ...changes } }) => {
    return presentOwnKey(await changeOwnKey(ctx.app, ctx.owner, id, named(changes)))
  }),
  rotate: merchantProcedure.input(rotation).mutation(async ({ ctx, input }) => {
    const { tenant, secret } = await rotateOwnKey(ctx.app, ctx.owner, input.id, input.graceSeconds)
    return { ...presentOwnKey(tenant), secret, url: `${ctx.app.config.baseUrl}/v1/${secret}` }
  }),
  /** Ends an earlier secret before its grace period does. */
  endSecret: merchantProcedure
    .input(id.extend({ secret: z.uuid() }))
    .mutation(async ({ ctx, input }) => presentWholeKey(await endOwnSecret(ctx.app, ctx.owner, input.id, input.secret))),
  revoke: merchantProcedure
    .input(id)
    .mutation(async ({ ctx, input }) => presentOwnKey(await revokeOwnKey(ctx.app, ctx.owner, input.id))),
})

// An absent field keeps its value, and an undefined one would replace it.
const named = (changes: object) => Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
