import type { Instance } from './instance'
import { MERCHANTS } from './merchants'
import type { Oracle } from './oracle'
import { type Asking, bodyOf, type Heard, type Purchase, type Variant } from './purchase'
import type { Random } from './random'
import type { Schedule } from './schedule'

export type Clients = {
  /** Sends this request to a random instance now. */
  ask(asking: Asking): void
  /** Plays a whole purchase, with its client's mistakes. */
  play(purchase: Purchase): void
  /** Breaks the connections of a dead instance. */
  cut(instance: Instance): void
  /** The number of open requests. */
  open(): number
  /** The number of purchases whose clients may retry. */
  playing(): number
}

type ClientOptions = {
  schedule: Schedule
  random: Random
  oracle: Oracle
  /** The instances that accept requests now. */
  instances: () => readonly Instance[]
}

const TRIES_MAX = 12

/** Clients of the service: they retry unanswered requests, sometimes twice at once, and some cheat. */
export function createClients({ schedule, random, oracle, instances }: ClientOptions): Clients {
  const open = new Map<Instance, Set<() => void>>()
  let playing = 0

  function ask(asking: Asking, then: (heard: Heard) => void = () => {}): void {
    const { purchase, variant, merchant, idempotencyKey } = asking
    const up = instances()
    if (up.length === 0) return void schedule.after(500, schedule.world, '', () => then('nothing'))
    const instance = random.pick(up)
    const line = `${purchase.name} ${variant} to ${merchant.name} at ${instance.owner.name}`
    const connections = open.get(instance) ?? new Set()
    open.set(instance, connections)
    let over = false
    function end(heard: Heard, afterMs: number): void {
      if (over) return
      over = true
      connections.delete(broken)
      schedule.after(afterMs, schedule.world, '', () => {
        schedule.note(
          `${purchase.name} hears ${heard === 'nothing' ? heard : `${heard.status} ${JSON.stringify(wordOf(heard))}`}`,
        )
        then(heard)
      })
    }
    const broken = () => end('nothing', 1)
    connections.add(broken)
    schedule.after(random.whole(0, 20), instance.owner, line, () => {
      const hangUp = new AbortController()
      if (random.chance(0.08)) {
        schedule.after(random.whole(5, 3_000), instance.owner, '', () => {
          if (over) return
          hangUp.abort()
          end('nothing', 1)
        })
      }
      const headers: Record<string, string> = idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }
      void instance
        .settle(merchant, bodyOf(purchase, termsOf(purchase, variant)), headers, hangUp.signal)
        .then(async (response) => {
          const body: Record<string, unknown> = await response.json()
          const { status, headers: said } = response
          const heard: Heard = { status, replayed: said.has('idempotent-replayed'), later: said.has('retry-after'), body }
          // A dead process answers nothing, and a client that hung up gets no answer.
          if (!instance.owner.alive || hangUp.signal.aborted) return
          oracle.answered(asking, heard)
          end(heard, random.whole(1, 20))
        })
    })
  }

  function play(purchase: Purchase): void {
    const idempotencyKey = random.chance(0.3) ? `key-${purchase.name}` : null
    const honest: Asking = { purchase, variant: 'honest', merchant: purchase.merchant, idempotencyKey }
    function tryAgain(left: number): void {
      ask(honest, (heard) => {
        if (left > 0 && !isOver(heard))
          return void schedule.after(random.whole(100, 1_500), schedule.world, '', () => tryAgain(left - 1))
        playing--
        if (random.chance(0.3)) ask(honest)
      })
    }
    playing++
    tryAgain(TRIES_MAX)
    if (random.chance(0.25)) ask({ ...honest, idempotencyKey: random.chance(0.5) ? idempotencyKey : null })
    if (random.chance(0.35)) {
      const variant = random.pick<Variant>(['other amount', 'other payee', 'other caller'])
      const merchant = variant === 'other caller' ? MERCHANTS.other : purchase.merchant
      const cheat = () => ask({ purchase, variant, merchant, idempotencyKey: null })
      for (let left = random.whole(1, 3); left > 0; left--) schedule.after(random.whole(0, 4_000), schedule.world, '', cheat)
    }
  }

  return {
    ask,
    play,
    cut(instance) {
      for (const broken of open.get(instance) ?? []) broken()
    },
    open: () => [...open.values()].reduce((sum, { size }) => sum + size, 0),
    playing: () => playing,
  }
}

const wordOf = ({ body }: Exclude<Heard, 'nothing'>) => body.success ?? body.errorReason ?? body.reason ?? body.error ?? ''

function termsOf({ asked, authorization }: Purchase, variant: Variant): Purchase['asked'] {
  if (variant === 'other amount') return { ...asked, amount: asked.amount + 1n }
  if (variant === 'other payee') return { ...asked, payTo: authorization.from }
  return asked
}

/** False if a merchant retries: after no answer, while pending, and after a temporary refusal. */
function isOver(heard: Heard): boolean {
  if (heard === 'nothing') return false
  const { status, later, body } = heard
  if (status !== 200) return status === 400 || status === 403 || (status === 409 && !later)
  return body.success === true || body.errorReason !== 'settlement_pending'
}
