/** The coin in which a network's fees are paid, by the family of the network. */
export const coins = {
  evm: { symbol: 'ETH', decimals: 18 },
  svm: { symbol: 'SOL', decimals: 9 },
} as const
