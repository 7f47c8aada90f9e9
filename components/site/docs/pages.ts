import { reasonSections } from './reference/reason-groups'

/** A section of a page, in its list "On this page" and in the search, which shows `about`. `isInner`: within the one before it. */
export type Section = { id: string; title: string; about?: string; isInner?: boolean }

/** A page of the documentation. */
export type DocsPage = { path: string; title: string; description: string; sections: readonly Section[] }

/** A group of the menu. */
export type DocsGroup = { title: string; pages: readonly DocsPage[] }

/** The guides that are written by hand. The reference of the API comes from the endpoints (`contents.ts`). */
export const guides = {
  quickstart: {
    title: 'Quick start',
    description: 'Charge for a route in five minutes, first with test money and then with real money.',
    sections: [
      { id: 'server', title: 'Run a paid server' },
      { id: 'client', title: 'Pay for a request' },
      { id: 'live', title: 'Go live' },
    ],
  },
  settlement: {
    title: 'Verify and settle',
    description: 'What happens between a signed payment and your answer, and how to retry safely.',
    sections: [
      { id: 'one-request', title: 'One paid request' },
      { id: 'urls', title: 'Base URLs' },
      { id: 'by-hand', title: 'Verify and settle by hand' },
      { id: 'outcomes', title: 'Outcomes' },
      { id: 'retries', title: 'Retries' },
    ],
  },
  crash: {
    title: 'After a crash',
    description: 'How to answer a payer who has paid, after a crash or without your facilitator.',
    sections: [
      { id: 'problem', title: 'What goes wrong' },
      { id: 'package', title: 'With the package' },
      { id: 'python', title: 'In Python' },
      { id: 'by-hand', title: 'Without the package' },
      { id: 'failover', title: 'When the facilitator is down' },
    ],
  },
  flash: {
    title: 'Flash',
    description: 'Answers in about 200 milliseconds on Base, before the block is complete.',
    sections: [
      { id: 'use', title: 'Use it' },
      { id: 'differences', title: 'What is different' },
    ],
  },
  usage: {
    title: 'Charge by use',
    description: 'The payer signs a maximum, and the merchant charges what was used.',
    sections: [
      { id: 'charge', title: 'Charge what was used' },
      { id: 'pay', title: 'Pay by use' },
    ],
  },
  channels: {
    title: 'Sell through channels',
    description: 'The payer deposits once and signs vouchers, and we claim them for you.',
    sections: [
      { id: 'sell', title: 'When to use channels' },
      { id: 'run', title: 'Install and run', about: 'A server in JavaScript or Python.' },
      { id: 'charging', title: 'Charges and crashes' },
      { id: 'claims', title: 'When we claim' },
      { id: 'cost', title: 'Your quota' },
      { id: 'without', title: 'Without our storage' },
    ],
  },
  'paying-by-channel': {
    title: 'Pay by channel',
    description: 'Deposit once, sign a voucher per request, and take the rest back.',
    sections: [
      { id: 'pay', title: 'Pay by channel' },
      { id: 'refund', title: 'Get the rest back' },
      { id: 'withdraw', title: 'Withdraw without the merchant' },
    ],
  },
  merchants: {
    title: 'Merchants',
    description: 'Keys with limits, and your settlements and figures by API.',
    sections: [
      { id: 'keys', title: 'Keys and their limits' },
      { id: 'data', title: 'Your data by API' },
      { id: 'keys-by-program', title: 'Keys by program' },
      { id: 'programs', title: 'Programs without a user' },
    ],
  },
  'payers-and-agents': {
    title: 'Payers and agents',
    description: 'Pay for requests from a program, buy credits, and sign in with a wallet.',
    sections: [
      { id: 'pay', title: 'Pay for a request' },
      { id: 'agents', title: 'Buy credits as an agent' },
      { id: 'mcp', title: 'Give an agent our tools' },
      { id: 'sign-in', title: 'The message a wallet signs', about: 'Sign in with a signature of the wallet (SIWE).' },
    ],
  },
  webhooks: {
    title: 'Webhooks',
    description: 'Your server learns the outcome of every accepted payment.',
    sections: [
      { id: 'receive', title: 'Receive and verify', about: 'Check the signature of a message with the secret.' },
      { id: 'message', title: 'The message' },
      { id: 'events', title: 'Events' },
      { id: 'delivery', title: 'Delivery' },
    ],
  },
  catalog: {
    title: 'Get listed',
    description: 'Declare a route, and the first payment lists it in the public catalog.',
    sections: [
      { id: 'declare', title: 'Declare a route' },
      { id: 'report', title: 'Why a route is not listed' },
      { id: 'shown', title: 'What the catalog shows' },
      { id: 'search', title: 'Search it from a program' },
    ],
  },
  authentication: {
    title: 'Authentication',
    description: 'The credentials of each group of routes.',
    sections: [{ id: 'credentials', title: 'Credentials' }],
  },
  networks: {
    title: 'Networks and assets',
    description: 'Network ids, token addresses and the base URLs that serve them.',
    sections: [
      { id: 'live', title: 'Real money' },
      { id: 'test', title: 'Test money' },
    ],
  },
  limits: {
    title: 'Limits',
    description: 'Quotas, rates and sizes.',
    sections: [
      { id: 'plans', title: 'Plans and credits' },
      { id: 'payments', title: 'Payments' },
      { id: 'requests', title: 'Requests' },
    ],
  },
  errors: {
    title: 'Errors',
    description: 'Every status and every reason code, with its cause and what to do.',
    sections: [
      { id: 'reasons', title: 'Reasons' },
      { id: 'statuses', title: 'Statuses' },
    ],
  },
  headers: {
    title: 'Headers',
    description: 'Request ids, quotas and retry times in our responses.',
    sections: [{ id: 'list', title: 'Headers' }],
  },
} as const satisfies Record<string, Omit<DocsPage, 'path'>>

export type GuideName = keyof typeof guides

/** Whether a part of a path names a guide. */
export function isGuide(name: string): name is GuideName {
  return Object.hasOwn(guides, name)
}

/** A guide as a page. Its list has the groups of reasons too, where a guide has reasons. */
export function guidePage(name: GuideName): DocsPage {
  const { sections, ...page } = guides[name]
  const groups = reasonSections.map(({ id, title, about }) => ({ id, title, about, isInner: true }))
  return {
    path: `/docs/${name}`,
    ...page,
    sections: sections.flatMap((one): Section[] => (one.id === 'reasons' ? [one, ...groups] : [one])),
  }
}

/** The group of the menu for those who run the service; it comes last. */
export const OPERATOR = 'Operator'

/** The first page. */
export const START: DocsPage = {
  path: '/docs',
  title: 'Documentation',
  description: 'Quittance verifies and settles x402 payments, so that your API is paid in USDC.',
  sections: [],
}

/** The guides in groups, in the order of the menu. */
export const GUIDE_GROUPS = [
  { title: 'Get started', names: ['quickstart', 'settlement', 'flash'] },
  {
    title: 'Guides',
    names: ['usage', 'channels', 'paying-by-channel', 'merchants', 'crash', 'payers-and-agents', 'webhooks', 'catalog'],
  },
  { title: 'Basics', names: ['authentication', 'networks', 'limits', 'errors', 'headers'] },
] as const satisfies readonly { title: string; names: readonly GuideName[] }[]
