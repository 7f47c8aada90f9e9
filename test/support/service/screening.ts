import { inspect } from 'node:util'
import pino from 'pino'
import { afterEach, beforeEach, expect } from 'vitest'
import { isServiceError, type ServiceError } from '../../../server/base/errors'
import { chainalysis } from '../../../server/screening/chainalysis'
import type { Screener } from '../../../server/screening/screener'
import {
  createScreening,
  type Parties,
  type Requester,
  type Screening,
  type ScreeningOptions,
} from '../../../server/screening/screening'
import { readThrough } from '../fixture'
import { type Kyt, type Misbehaviour, startKyt } from './kyt'

export const PAYER = '0x1111111111111111111111111111111111111111'
export const PAY_TO = '0x2222222222222222222222222222222222222222'
export const PARTIES = { payer: PAYER, payTo: PAY_TO }
/** Long enough for any response on any machine. */
export const PATIENT_MS = 20_000

/** A requester with an unlimited budget. */
export const REQUESTER = { id: 'requester', perMinute: 1_000_000 }

/** The n-th of many addresses. */
export const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
/** One address as payer and payTo, to screen a single address. */
export const only = (one: string) => ({ payer: one, payTo: one })

/** The requester of most tests. */
type Asking = {
  [way in 'requireAvailable' | 'screen']: (parties: Parties, requester?: Requester) => ReturnType<Screening[way]>
} & Pick<Screening, 'health'>

/** A KYT service, a clock and a log, new for each test of a file, and screenings that use them. */
export function screeningHarness() {
  let kyt: Kyt
  const clock = { now: 1_000 }
  const lines: { level: number; msg: string }[] = []
  const log = { text: '' }
  beforeEach(async () => {
    kyt = await startKyt()
    clock.now = 1_000
    lines.length = 0
    log.text = ''
  })
  afterEach(() => kyt.close())

  function screeningBy(screener: Screener, options: Partial<ScreeningOptions> = {}): Asking {
    const write = (line: string) => {
      log.text += line
      lines.push(JSON.parse(line))
    }
    // Logs complete errors, unlike the service's own log.
    const complete = pino({ serializers: { err: (error: unknown) => inspect(error, { depth: 20 }) } }, { write })
    const screening = createScreening(screener, { log: complete, now: () => clock.now, ...options })
    return {
      requireAvailable: (parties, requester = REQUESTER) => screening.requireAvailable(parties, requester),
      screen: (parties, requester = REQUESTER) => screening.screen(parties, requester),
      health: screening.health,
    }
  }

  return {
    kyt: readThrough(() => kyt),
    clock,
    lines,
    log,
    screeningBy,
    screeningWith: (timeoutMs: number, options: Partial<ScreeningOptions> = {}) =>
      screeningBy(chainalysis(`${kyt.url}/url-secret`, 'key-secret', timeoutMs), options),
    /** Five failed calls, one after another. */
    async breakIt(screening: Asking, how: Misbehaviour = 'status 500'): Promise<void> {
      kyt.misbehave(how)
      for (let n = 0; n < 5; n++) await refusalOf(screening.screen(only(address(0xbad + n))))
    },
    /** The calls about an address. */
    askedFor: (one: string) => kyt.requests.filter(({ path }) => path.endsWith(`/address/${one}`)).length,
  }
}

/** The refusal of a screening. Fails the test when it passes. */
export async function refusalOf(work: Promise<void>): Promise<ServiceError> {
  const error: unknown = await work.then(
    () => expect.fail('passed'),
    (error: unknown) => error,
  )
  return isServiceError(error) ? error : expect.fail(`no refusal: ${inspect(error)}`)
}
