/** The states of a delivery. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The states that a filter names: `undelivered` stands for both that are not `delivered`. */
export const filterStates = [...deliveryStates, 'undelivered'] as const
export type FilterState = (typeof filterStates)[number]
