/** Names the account for which a page makes a change, as `session.get` gave it. For another account the change is refused. */
export const ACCOUNT_HEADER = 'x-account'
