/** The chapters of the reference. */
export const tags = {
  Payments: 'What a merchant’s server asks about a payment: is it good, settle it, what became of it.',
  Discovery: 'What can be bought: resources that were paid for through this facilitator and declare themselves.',
  Agents: 'What an agent does with a wallet and without anybody’s leave: buy credits, see what is left, keep its keys.',
  'Sign-in': 'A wallet signs a message and gets a session.',
  History: 'What was settled, for merchants, payers, agents and the operator.',
  Analytics: 'Sums of finished days.',
  Settings: 'What owners of keys decide themselves.',
  Admin: 'What the operator does with tenants and their keys.',
  Service: 'The service itself and its documentation.',
} as const satisfies Record<string, string>

export type TagName = keyof typeof tags
