import type { Address } from 'viem'

/** The authorizer of channels that a service offers the API key in `base`. Throws when it offers none. */
export async function offeredAuthorizer(base: string): Promise<Address> {
  const { kinds }: { kinds: { scheme: string; extra?: { receiverAuthorizer: Address } }[] } = await (
    await fetch(`${base}/supported`)
  ).json()
  const found = kinds.find(({ scheme }) => scheme === 'batch-settlement')?.extra?.receiverAuthorizer
  if (!found) throw new Error('the service offers no authorizer')
  return found
}
