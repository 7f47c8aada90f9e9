/** The payment that the dashboard makes for a try: a tenth of a cent, in atomic units of USDC, for a resource that no server has. */
export const testPayment = {
  amount: 1_000n,
  resource: {
    url: 'https://example.com/test-payment',
    description: 'A test payment of the quick start',
    mimeType: 'text/plain',
  },
} as const
