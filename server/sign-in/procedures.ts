import { openProcedure, router } from '../trpc/context'
import { accountId, administers, nameOf } from './principal'

/** The signed-in principal, and the ways to sign in. */
export const session = router({
  get: openProcedure.query(({ ctx: { app, principal } }) => ({
    baseUrl: app.config.baseUrl,
    /** The sample merchant with a faucet; null without one. */
    playgroundUrl: app.config.playgroundUrl,
    walletConnectProjectId: app.config.walletConnectProjectId,
    canSignIn: { merchant: app.config.oidc !== null, admin: app.config.adminKeyHash !== null },
    /** Whether wallets get free keys. */
    walletsCharge: app.config.walletKeysPerDay > 0,
    /** The host of the merchants' identity provider, as the sign-in page names it; null without one. */
    issuerHost: app.config.oidc && new URL(app.config.oidc.issuer).host,
    who: principal && {
      account: accountId(principal),
      kind: principal.kind,
      admin: administers(principal),
      name: nameOf(principal),
    },
  })),
})
