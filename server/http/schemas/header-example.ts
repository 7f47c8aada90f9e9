// The payment of the other examples as a client writes it into a header: something that can be sent as it stands and is judged.

const payload = {
  signature: `0x${'2d6a'.repeat(32)}1b`,
  authorization: {
    from: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
    to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    value: '1000',
    validAfter: '1795262400',
    validBefore: '1795262700',
    nonce: `0x${'f3'.repeat(32)}`,
  },
}

const accepted = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '1000',
  payTo: payload.authorization.to,
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2' },
}

/** The header of each version of x402, base64. */
export const headerExamples = {
  v1: btoa(JSON.stringify({ x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload })),
  v2: btoa(JSON.stringify({ x402Version: 2, accepted, payload })),
} as const
