/** What tenants are listed by, largest first. */
export const tenantOrders = ['newest', 'settled', 'volume', 'gas'] as const

export type TenantOrder = (typeof tenantOrders)[number]
