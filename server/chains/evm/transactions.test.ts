import { parseGwei, parseTransaction, size } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { builtInNetworks } from '../../x402/networks/built-in-networks'
import { addNetwork, type EvmNetworkId, resetNetworks } from '../../x402/networks/networks'
import { createSigner } from './signer'
import { fundingCall, noopCall, signCall } from './transactions'

beforeEach(() => {
  for (const row of builtInNetworks) addNetwork(row)
})
afterEach(resetNetworks)

const signer = createSigner(generatePrivateKey())
const fees = { maxFeePerGas: parseGwei('5000'), tipPerGas: parseGwei('5000') }
const HIGH_NONCE = 2n ** 40n

const emptyCalls = (network: EvmNetworkId) =>
  [noopCall(network, signer), fundingCall(network, signer.address, 10n ** 21n)].map((call) =>
    signCall(network, signer, HIGH_NONCE, call, fees),
  )

describe('a call without calldata', () => {
  test.each(builtInNetworks.filter(({ gasPerByte }) => gasPerByte > 0))(
    'pays on $title for each byte of its transaction',
    ({ chainId, gasPerByte }) => {
      for (const { gas, raw } of emptyCalls(`eip155:${chainId}`)) {
        expect(gas).toBeGreaterThanOrEqual(21_000n + BigInt(gasPerByte * size(raw)))
        expect(parseTransaction(raw).gas).toBe(gas)
      }
    },
  )

  test.each(['eip155:8453', 'eip155:137', 'eip155:50'] as const)(
    'has the gas of a plain transfer on %s, which charges no bytes',
    (network) => {
      expect(emptyCalls(network).map(({ gas }) => gas)).toEqual([21_000n, 21_000n])
    },
  )
})
