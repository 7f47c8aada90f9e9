import type { Step } from '../../client/paid-request/steps'

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
  from: '0xD605B37902D9935e8dDc367376Cc5Ac02B11148f',
  to: terms.payTo,
  value: terms.amount,
  validAfter: '1795309536',
  validBefore: '1795310436',
  nonce: '0x1fc8462697e5f6795f6aa176d34e1e370aa38b3365fee543b83efaaa456b8f09',
}

const signature =
  '0x63b9ad34a6fdcfa4068c77f7a4bafd045d81af19dab4ef055fcb8f6b759ed1d87b8228ec8265dd9bb851f1546849f4825a521fbd9f1b70cecbd4cd5d6f6c8a7a1b'

const receipt = {
  success: true,
  payer: authorization.from,
  transaction: '0x0dfc9fba807735d6a59ddb6d56af9772890ac64e2700f11423af057507b1a1e3',
  network: terms.network,
}

const json = (value: object): string => JSON.stringify(value, null, 2)

/** A payment recorded on a local chain with one-second blocks. The merchant's URL is changed and its catalog entry left out. */
export const recorded: Step[] = [
  {
    name: 'ask',
    state: 'done',
    milliseconds: 5,
    messages: {
      line: 'GET /weather → 402: 0.001 USDC on Base Sepolia',
      parts: [
        { name: 'Sent', text: `GET ${resource.url}` },
        { name: 'Received PAYMENT-REQUIRED, decoded from base64', text: json({ x402Version: 2, resource, accepts: [terms] }) },
      ],
    },
  },
  {
    name: 'sign',
    state: 'done',
    milliseconds: 5,
    messages: {
      line: `TransferWithAuthorization → ${signature.slice(0, 10)}…`,
      parts: [
        { name: 'EIP-712 message', text: json(authorization) },
        { name: 'Signature', text: signature },
      ],
    },
  },
  {
    name: 'pay',
    state: 'done',
    milliseconds: 892,
    messages: {
      line: 'GET /weather with PAYMENT-SIGNATURE → 200',
      parts: [
        { name: 'Sent', text: `GET ${resource.url}` },
        {
          name: 'Sent PAYMENT-SIGNATURE, decoded from base64',
          text: json({ x402Version: 2, resource, accepted: terms, payload: { signature, authorization } }),
        },
      ],
    },
  },
  {
    name: 'receive',
    state: 'done',
    messages: {
      line: '200, PAYMENT-RESPONSE: success',
      parts: [
        { name: 'Received PAYMENT-RESPONSE, decoded from base64', text: json(receipt) },
        { name: 'Received 200', text: json({ city: 'Lisbon', celsius: 21, sky: 'clear' }) },
      ],
    },
  },
]
