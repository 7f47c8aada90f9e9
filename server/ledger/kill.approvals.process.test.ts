import { afterEach, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/money/audit'
import { startKillSetup } from '../../test/money/kill/kills'
import { fixture } from '../../test/support/fixture'
import { createPermit2Forge } from '../../test/support/permit2/permit2'
import { freshIp } from '../../test/support/service/client'
import { killedItself, postTo } from '../../test/support/service/process'
import { until } from '../../test/support/until'
import type { FailpointName } from '../base/failpoints'

const setup = fixture(() => startKillSetup({ SPONSORED_APPROVAL_MAX: '0.001', SETTLE_DEADLINE_MS: '5000' }))
afterEach(() => setup.clear())

describe("a process killed with kill -9 while it pays for a payer's approval", () => {
  test.each<FailpointName>(['funding committed', 'approval sent'])(
    'when it had just: %s. The retry is settled, the ether was sent once, the money moved once',
    async (moment) => {
      const { chain, database } = setup
      const forge = createPermit2Forge(chain)
      const change = { token: chain.usdc, approved: false, extensions: forge.approving() }
      const { body, payer } = await forge.paying(change)
      const ip = freshIp()
      const settle = (service: { url: string }) => postTo(service, '/sandbox/settle', body, ip)
      const fundings = () => database.db.slot.count({ where: { kind: 'fund' } })
      const before = await fundings()
      const doomed = await setup.start({ FAILPOINT: moment })
      await settle(doomed).catch(() => null)
      await killedItself(doomed)
      const service = await setup.start()
      await until(async () => Object(Object(await settle(service)).body).success === true, 'the retry to be settled')
      expect(await chain.tokens(payer)).toBe(999_000n)
      expect((await fundings()) - before).toBe(1)
      expect(await setup.audit()).toEqual(NO_OFFENCE)
    },
  )
})
