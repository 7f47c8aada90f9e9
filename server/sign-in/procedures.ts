import { openProcedure, router } from '../trpc/context'
import { displayAddress } from '../x402/addresses'
import { administers } from './principal'

/** The signed-in principal, and the ways to sign in. */
export const session = router({
  get: openProcedure.query(({ ctx: { app, principal } }) => ({
    baseUrl: app.config.baseUrl,
    canSignIn: { merchant: app.config.oidc !== null, admin: app.config.adminKeyHash !== null },
    who: principal && {
      kind: principal.kind,
      admin: administers(principal),
      name:
        principal.kind === 'wallet'
          ? displayAddress(principal.wallet)
          : principal.kind === 'merchant'
            ? principal.name
            : 'Administrator',
    },
  })),
})
