import type { Step } from './steps'

const resource = { url: 'https://api.example.com/weather', description: "Today's weather", mimeType: 'application/json' }

const terms = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '1000',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  payTo: '0x7C60071689c9A38164e38ecA09e6841fF2DB4eeA',
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2' },
}

const authorization = {
  from: '0x222296c31FFC955D009371F52aB3729effa7A3A0',
  to: terms.payTo,
  value: terms.amount,
  validAfter: '1795307967',
  validBefore: '1795308867',
  nonce: '0x90e9cf4de2a2bb0861397ed146fe425fa78ecf51f9e94a5cf6fd0077c9756759',
}

const signature =
  '0x111cd1b2acdd13f1dafb73402d68340350186a172e71960aea4858053ca294f34ada638a09d78066500c7dba88665e0459722949ef687c0679d6236a18978e271b'

const receipt = {
  success: true,
  payer: authorization.from,
  transaction: '0x77c1e4868a1899de081807063a960701d21c6e2eba2e0940279409f95fa6b24d',
  network: terms.network,
}

const json = (value: object): string => JSON.stringify(value, null, 2)

/** A payment as it was seen in a local world; only the merchant's address is another. */
export const recorded: Step[] = [
  {
    ...{ name: 'ask', state: 'done', milliseconds: 14 },
    sight: {
      line: 'GET /weather → 402: 0.001 USDC on Base Sepolia',
      parts: [
        { name: 'sent', text: `GET ${resource.url}` },
        { name: 'got PAYMENT-REQUIRED, decoded from base64', text: json({ x402Version: 2, resource, accepts: [terms] }) },
      ],
    },
  },
  {
    ...{ name: 'sign', state: 'done', milliseconds: 12 },
    sight: {
      line: `TransferWithAuthorization → ${signature.slice(0, 10)}…`,
      parts: [
        { name: 'the EIP-712 message', text: json(authorization) },
        { name: 'its signature', text: signature },
      ],
    },
  },
  {
    ...{ name: 'pay', state: 'done', milliseconds: 1_021 },
    sight: {
      line: 'GET /weather with PAYMENT-SIGNATURE → 200',
      parts: [
        { name: 'sent', text: `GET ${resource.url}` },
        {
          name: 'sent PAYMENT-SIGNATURE, decoded from base64',
          text: json({ x402Version: 2, resource, accepted: terms, payload: { signature, authorization } }),
        },
      ],
    },
  },
  {
    ...{ name: 'receive', state: 'done' },
    sight: {
      line: '200, PAYMENT-RESPONSE: success',
      parts: [
        { name: 'got PAYMENT-RESPONSE, decoded from base64', text: json(receipt) },
        { name: 'got 200', text: json({ city: 'Lisbon', celsius: 21, sky: 'clear' }) },
      ],
    },
  },
]
