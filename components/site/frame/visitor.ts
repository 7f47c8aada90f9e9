import { headers } from 'next/headers'
import { cache } from 'react'
import { currentApp } from '@/server/app'
import { nameOf, type Principal } from '@/server/sign-in/principal'
import { principalOf, sessionCookieName } from '@/server/sign-in/session-cookie'

/** A signed-in visitor of a public page: a name, and the first screen of the account. */
export type Visitor = { name: string; href: string }

const FIRST_SCREEN = {
  merchant: '/dashboard',
  wallet: '/payments',
  admin: '/console',
} as const satisfies Record<Principal['kind'], string>

/** The visitor by the session cookie; null without a valid session. */
export const visitor = cache(async (): Promise<Visitor | null> => {
  const app = currentApp()
  const cookie = (await headers()).get('cookie') ?? ''
  // Most visitors have no session: no work for them.
  if (!cookie.includes(sessionCookieName(app))) return null
  try {
    const who = await principalOf(app, new Request(app.config.baseUrl, { headers: { cookie } }))
    return who && { name: shown(nameOf(who)), href: FIRST_SCREEN[who.kind] }
  } catch (error) {
    // A public page does not need the database: it shows the link to sign in.
    app.log.warn({ err: error }, 'the session of a public page could not be read')
    return null
  }
})

const ADDRESS_CHARACTERS = 32

/** An address by its first and last characters. */
const shown = (name: string): string => (name.length > ADDRESS_CHARACTERS ? `${name.slice(0, 6)}…${name.slice(-4)}` : name)
