import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi, toHex } from 'viem'
import { expect, test } from 'vitest'
import { createChannels } from './channels'

const aggregate = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
])

const word = (value: bigint): Hex => toHex(value, { size: 32 })

test('vouchers that come at once are judged by one call, each by the state of its own channel', async () => {
  const calls: number[] = []
  const channels = createChannels(async (_method, [call]) => {
    const [reads] = decodeFunctionData({ abi: aggregate, data: Object(call).data }).args
    calls.push(reads.length)
    // Each read answers with the last byte of its channel's id, in as many words as it has values.
    const result = reads.map(({ callData }, at) => {
      const value = word(BigInt(`0x${callData.slice(-2)}`))
      return { success: true, returnData: at % 3 === 2 ? value : (`${value}${value.slice(2)}` as const) }
    })
    return encodeFunctionResult({ abi: aggregate, functionName: 'aggregate3', result })
  }, 'eip155:84532')
  const states = await Promise.all([7n, 8n, 9n].map((id) => channels.state(word(id))))
  expect(states.map((state) => state?.balance)).toEqual([7n, 8n, 9n])
  expect(calls).toEqual([9])
})
