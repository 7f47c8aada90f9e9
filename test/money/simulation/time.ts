import type { Planned, Pulse, Schedule } from './schedule'

/** A timer with the interface of Node's timers. */
type Timer = Planned & { ref(): Timer; unref(): Timer; hasRef(): boolean; [Symbol.toPrimitive](): number }

type Shared = { schedule: Schedule | undefined; isServing: boolean; pulse: Pulse }

/** What all copies of this module in a process share: a mutated copy of the simulation follows the clock that the first one installed. */
function shared(): Shared {
  const key = Symbol.for('the time of the simulation')
  const first = Reflect.get(globalThis, key) as Shared | undefined
  if (first) return first
  const pulse: Pulse = { beats: 0, pending: 0, turn: () => new Promise((resolve) => realImmediate(resolve)) }
  const made = { schedule: undefined, isServing: false, pulse }
  Reflect.set(globalThis, key, made)
  return made
}

const realDate = Date
const realImmediate = setImmediate
const realClear = clearTimeout
const realNow = performance.now.bind(performance)

const state = shared()

/** The platform's open work: turns of the event loop that real code requested. */
export const { pulse } = state

/** Makes the clock and timers follow this schedule; undefined restores the real clock. */
export function followTime(of: Schedule | undefined): void {
  state.schedule = of
}

/** Runs a statement of the embedded database, whose own statistics timers never fire. */
export function serve<T>(run: () => T): T {
  state.isServing = true
  try {
    return run()
  } finally {
    state.isServing = false
  }
}

/**
 * Runs a preparation and then clears every timer that it set. A timer of the database would fire in real time during a run; the one that
 * it sets then would take a draw of the schedule, and the run would depend on the machine.
 */
export async function withoutTimersAfter<T>(prepare: () => Promise<T>): Promise<T> {
  const timers: NodeJS.Timeout[] = []
  const real = globalThis.setTimeout
  const recorded = (run: () => void, ms?: number) => {
    const timer = real(run, ms)
    timers.push(timer)
    return timer
  }
  globalThis.setTimeout = Object.assign(recorded, real)
  try {
    return await prepare()
  } finally {
    globalThis.setTimeout = real
    for (const timer of timers) realClear(timer)
  }
}

/**
 * Replaces the clocks and timers of this process by those of the current schedule, so nothing waits for real time. The embedded
 * database reads `Date` too, so SQL's `now()` is the same clock.
 */
export function installTime(): void {
  const set = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
  set('Date', virtualDate())
  Object.defineProperty(performance, 'now', { value: () => state.schedule?.elapsed() ?? realNow(), configurable: true })
  set('setTimeout', (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => later(ms ?? 1, () => run(...args)))
  set('setInterval', (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => again(ms ?? 1, () => run(...args)))
  for (const name of ['clearTimeout', 'clearInterval']) set(name, clear)
  set('setImmediate', (run: (...args: unknown[]) => void, ...args: unknown[]) => {
    pulse.beats++
    pulse.pending++
    return realImmediate(() => {
      pulse.pending--
      run(...args)
    })
  })
}

function virtualDate(): DateConstructor {
  const now = () => (state.schedule ? Math.floor(state.schedule.now()) : realDate.now())
  return new Proxy(realDate, {
    construct: (target, args: unknown[], self) => Reflect.construct(target, args.length === 0 ? [now()] : args, self),
    get: (target, name, self) => (name === 'now' ? now : Reflect.get(target, name, self)),
  })
}

function later(ms: number, run: () => void): Timer {
  const { schedule, isServing } = state
  if (isServing) return timerOf({ cancel: () => {} })
  if (!schedule) throw new Error('a timer was set outside of a simulation')
  return timerOf(schedule.after(Math.max(1, Number.isFinite(ms) ? ms : 1), schedule.owner(), '', run))
}

// A timer from before the simulation is a real one.
function clear(timer: Timer | NodeJS.Timeout | undefined): void {
  if (timer && 'cancel' in timer) timer.cancel()
  else realClear(timer)
}

function again(ms: number, run: () => void): Timer {
  let next: Planned = later(ms, repeat)
  function repeat(): void {
    next = later(ms, repeat)
    run()
  }
  return timerOf({ cancel: () => next.cancel() })
}

function timerOf(planned: Planned): Timer {
  const timer: Timer = { ...planned, ref: () => timer, unref: () => timer, hasRef: () => true, [Symbol.toPrimitive]: () => 0 }
  return timer
}
