import { LISTED_DAYS } from '../x402/listing-url'
import type { DeclarationRule } from './bazaar'

type OtherRule =
  | 'extensions_missing'
  | 'declaration_missing'
  | 'opted_out'
  | 'template_ignored'
  | 'http_url'
  | 'held_by_other'
  | 'limit_reached'
  | 'pending'
  | 'expired'
  | 'expiring'
  | 'history_off'

/** A rule that keeps a resource out of the catalog, or that will. */
export type ListingRule = DeclarationRule | OtherRule

/** `required`: it keeps the resource out, or its entry from being renewed. `advisory`: the resource is listed, and can be listed better. */
export type Severity = 'required' | 'advisory'

/** What each rule says and what its merchant can do. A broken declaration has a text of its own. */
export const listingRules = {
  url_missing: {
    severity: 'required',
    text: 'the payment names no resource URL',
    remedy: 'Send `resource.url` in the 402 (version 1: `resource` in the requirements).',
  },
  url_invalid: {
    severity: 'required',
    text: 'the resource URL cannot be listed',
    remedy: 'Give the route an absolute https URL.',
  },
  url_not_public: {
    severity: 'required',
    text: 'the host of the resource URL is not public',
    remedy:
      'Set the public URL of the route in your middleware (`resource`), and have your proxy pass on Host or X-Forwarded-Host.',
  },
  http_url: {
    severity: 'advisory',
    text: 'the resource URL is http: behind a TLS proxy your server does not see https',
    remedy:
      "Have the proxy send X-Forwarded-Proto and trust it (Express: app.set('trust proxy', 1)), or set the https URL of the route.",
  },
  extensions_missing: {
    severity: 'required',
    text: 'the payment has no extensions: the route declares none, or the client of the payer did not echo them',
    remedy: 'Declare `extensions.bazaar` in the route. An official client of version 2 echoes it.',
  },
  declaration_missing: {
    severity: 'required',
    text: 'the payment has no declaration of the resource',
    remedy: 'Declare `extensions.bazaar` in the route (version 1: `outputSchema`).',
  },
  opted_out: {
    severity: 'required',
    text: 'outputSchema.input.discoverable is false',
    remedy: 'Remove `discoverable: false` if the resource should be listed.',
  },
  declaration_invalid: {
    severity: 'required',
    text: 'the declaration has a wrong field',
    remedy: 'Replace the declaration with the corrected one.',
  },
  declaration_too_large: {
    severity: 'required',
    text: 'the declaration is too large',
    remedy: 'Shorten examples and schemas.',
  },
  schema_external: {
    severity: 'required',
    text: 'the schema refers to other documents',
    remedy: 'Write the definitions into the schema, and refer to them by `#/…`.',
  },
  schema_mismatch: {
    severity: 'required',
    text: 'info does not fit its schema',
    remedy: 'Replace the declaration with the corrected one, or correct the field.',
  },
  template_ignored: {
    severity: 'advisory',
    text: 'extensions.bazaar.routeTemplate is not used: it is no path such as /users/:id',
    remedy: 'Begin it with /, and use letters, digits and `_/:.-~%`.',
  },
  held_by_other: {
    severity: 'required',
    text: 'another account has this URL in the catalog',
    remedy:
      'If the URL is yours, answer its 402 with your payTo, or name it in /.well-known/x402, over https. Your next payment then moves the entry.',
  },
  limit_reached: {
    severity: 'required',
    text: 'the key or the host has as many entries as it may have',
    remedy: `Entries without a payment end after ${LISTED_DAYS} days. List one route with a routeTemplate instead of each page.`,
  },
  pending: {
    severity: 'advisory',
    text: 'it was paid for less than a minute ago, and its entry is being written',
    remedy: 'Read the report again in a minute.',
  },
  expired: {
    severity: 'required',
    text: `no payment in ${LISTED_DAYS} days`,
    remedy: 'The next payment lists it again.',
  },
  expiring: {
    severity: 'advisory',
    text: 'it expires within seven days',
    remedy: 'Each payment renews it.',
  },
  history_off: {
    severity: 'required',
    text: 'history is disabled for this key, so that its payments list nothing',
    remedy: 'Switch the history of the key on.',
  },
} as const satisfies Record<ListingRule, { severity: Severity; text: string; remedy: string }>

/** The names of the rules. */
export const listingRuleNames = Object.keys(listingRules).filter((name): name is ListingRule => name in listingRules)
