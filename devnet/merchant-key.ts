export type Operator = { baseUrl: string; adminKey: string }

/** The sample merchant's API key: the kept one while the service knows it, else a new one that the operator makes for it. */
export async function merchantKey(operator: Operator, kept: string | undefined): Promise<string> {
  return kept !== undefined && (await opens(operator.baseUrl, kept)) ? kept : await makeTenant(operator)
}

async function opens(baseUrl: string, key: string): Promise<boolean> {
  const { status } = await fetch(`${baseUrl}/v1/${key}/supported`)
  if (status === 200) return true
  if (status === 401) return false
  throw new Error(`The service answered ${status} when the sample merchant's key was tried.`)
}

async function makeTenant({ baseUrl, adminKey }: Operator): Promise<string> {
  const response = await fetch(`${baseUrl}/admin/tenants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ owner_id: 'sample-merchant', plan: 'growth', name: 'Sample merchant' }),
  })
  const tenant: unknown = await response.json()
  const key: unknown = typeof tenant === 'object' && tenant !== null ? Reflect.get(tenant, 'api_key') : undefined
  if (response.status === 201 && typeof key === 'string') return key
  throw new Error(`The service made no API key for the sample merchant: status ${response.status}.`)
}
