import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { ServiceError } from '../../base/errors'
import { noScreening, type Screening } from '../../screening/screening'
import type { ChannelConfig } from '../../x402/schemes/batch-settlement/channel'
import { channelIdOf } from '../../x402/schemes/batch-settlement/hashes'
import { claimOf } from './claims'
import type { Prepared } from './prepared'
import { prepareClear } from './screening'

const NETWORK = 'eip155:84532'
const at = (digit: string): Hex => `0x${digit.repeat(40)}`

/** A channel of a payer, and its row of a claim. */
function rowOf(digit: string) {
  const channel: ChannelConfig = {
    payer: at(digit),
    payerAuthorizer: at(digit),
    receiver: at('e'),
    receiverAuthorizer: at('f'),
    token: at('d'),
    withdrawDelay: 900,
    salt: `0x${'00'.repeat(32)}`,
  }
  const voucher = { maxClaimable: 10n, signature: `0x${'11'.repeat(65)}` as const }
  return { id: channelIdOf(NETWORK, channel), channel, voucher, totalClaimed: 10n }
}
const rows = ['1', '2', '3'].map(rowOf)
const idAt = (index: number) => rows[index]?.id ?? '0x'

const preparing = async (without: ReadonlySet<Hex>): Promise<Prepared> => {
  const some = rows.filter(({ id }) => !without.has(id))
  return { act: claimOf(NETWORK, some, { signature: '0x', signedHere: true, before: new Map() }) }
}
const asked = (leavesOut: readonly ServiceError['refusal'][]) => ({ asker: { id: 'a', perMinute: 1 }, leavesOut })

/** A screening that refuses a payer in this way. */
const refusing = (payer: Hex, refusal: ServiceError['refusal']) => {
  const production: Screening = {
    ...noScreening,
    async screen(parties) {
      if (parties.payer === payer) throw new ServiceError(refusal, 'refused')
    },
  }
  return { screening: { sandbox: noScreening, production } }
}
const clear = (
  app: ReturnType<typeof refusing>,
  how: ReturnType<typeof asked>,
  prepare: Parameters<typeof prepareClear>[3] = preparing,
) => prepareClear(app, { laneClass: 'production' }, how, prepare)

test.each([
  ['forbidden', 'kyt_flagged'],
  ['too_many', 'NotTried'],
  ['unavailable', 'NotTried'],
] as const)('a claim goes without the channel whose screening is %s, and names it %s', async (refusal, error) => {
  const prepared = await clear(refusing(at('2'), refusal), asked([refusal]))
  expect(prepared).toMatchObject({ act: { leftOut: [{ channelId: idAt(1), error }] } })
  expect('act' in prepared && prepared.act.rows.map(({ channelId }) => channelId)).toEqual([idAt(0), idAt(2)])
})

test('a refusal that leaves nothing out is thrown, and so is one of an act that has no parts', async () => {
  await expect(clear(refusing(at('2'), 'unavailable'), asked(['forbidden']))).rejects.toMatchObject({ refusal: 'unavailable' })
  const whole = async (without: ReadonlySet<Hex>) => (without.size === 0 ? preparing(without) : null)
  await expect(clear(refusing(at('2'), 'forbidden'), asked(['forbidden']), whole)).rejects.toMatchObject({ refusal: 'forbidden' })
})

test('what is left and fails is named beside what was left out', async () => {
  const failing = async (without: ReadonlySet<Hex>): Promise<Prepared> =>
    without.size === 0 ? preparing(without) : { done: '0xhash', leftOut: [{ channelId: idAt(0), error: 'InvalidSignature' }] }
  expect(await clear(refusing(at('3'), 'forbidden'), asked(['forbidden']), failing)).toEqual({
    done: '0xhash',
    leftOut: [
      { channelId: idAt(0), error: 'InvalidSignature' },
      { channelId: idAt(2), error: 'kyt_flagged' },
    ],
  })
})
