/** What tenants are listed by, largest first. */
export const tenantOrders = ['newest', 'volume', 'gas'] as const

export type TenantOrder = (typeof tenantOrders)[number]
