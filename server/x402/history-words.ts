/** What histories and analytics say where they have a word of their own. */
export const HISTORY_WORDS = {
  insufficient_funds: {
    cause: 'The payer’s balance was lower than the amount.',
    remedy: 'Send USDC to the payer on this network and pay again; no gas is needed.',
  },
  unknown: {
    cause: 'The payment failed and no cause was kept.',
    remedy: 'Look the settlement up by its id or transaction; tell the operator if it happens again.',
  },
} as const satisfies Record<string, { cause: string; remedy: string }>
