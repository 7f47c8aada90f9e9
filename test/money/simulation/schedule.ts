import { hashOf, type Random } from './random'

/** The owner of events: one instance, or the world. */
export type Owner = { name: string; alive: boolean; pausedUntil: number }

/** The queue of future events. Times are milliseconds since 1970, on a clock that only events move. */
export type Schedule = {
  now(): number
  /** Milliseconds since the simulation began. */
  elapsed(): number
  /** The owner of the current event, and of the events that it schedules. */
  owner(): Owner
  world: Owner
  /** Schedules an event. A dead owner's event never happens; a paused owner's happens after the pause. */
  after(delayMs: number, owner: Owner, what: string, run: () => void): Planned
  /** Runs the next event and waits until its asynchronous work settles. False if there is none before `until`. */
  step(until: number): Promise<boolean>
  /** Runs a function now as this owner, and waits until its asynchronous work settles. */
  act(owner: Owner, run: () => void): Promise<void>
  note(line: string): void
  /** A hash over all events so far. */
  trace(): string
  events(): number
}

export type Planned = { cancel(): void }

type Event = { at: number; tie: number; order: number; owner: Owner; what: string; run: () => void; cancelled: boolean }

/** Counts work that outlasts a turn of the event loop. */
export type Pulse = { beats: number; pending: number; turn: () => Promise<void> }

/** Whether the platform works on a request in another thread. Timers and open connections do not count. */
function isPlatformBusy(): boolean {
  return process.getActiveResourcesInfo().some((name) => /Req|Job/.test(name))
}

/** An empty schedule. The seed decides the order of events within a millisecond. */
export function createSchedule(startsAt: number, random: Random, pulse: Pulse, print: (line: string) => void): Schedule {
  const heap: Event[] = []
  const world: Owner = { name: 'world', alive: true, pausedUntil: 0 }
  let now = startsAt
  let order = 0
  let owner = world
  let done = 0
  let trace = hashOf('')

  const isBefore = (a: Event, b: Event) => a.at - b.at || a.tie - b.tie || a.order - b.order

  function push(event: Event): void {
    heap.push(event)
    for (let at = heap.length - 1; at > 0; ) {
      const up = (at - 1) >> 1
      if (!swapIf(up, at)) break
      at = up
    }
  }

  function pop(): Event | undefined {
    const [first] = heap
    const last = heap.pop()
    if (!first || !last || first === last) return first
    heap[0] = last
    for (let at = 0; ; ) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
      const down = left && right && isBefore(right, left) < 0 ? 2 * at + 2 : 2 * at + 1
      if (!swapIf(at, down)) break
      at = down
    }
    return first
  }

  function swapIf(up: number, down: number): boolean {
    const [above, below] = [heap[up], heap[down]]
    if (!above || !below || isBefore(below, above) >= 0) return false
    heap[up] = below
    heap[down] = above
    return true
  }

  function note(line: string): void {
    trace = hashOf(line, hashOf(String(now - startsAt), trace))
    print(`${((now - startsAt) / 1_000).toFixed(3)} ${owner.name}: ${line}`)
  }

  // Waits for two quiet turns, because a platform promise may take one turn to be noticed. A file read or a hash on another thread is not
  // quiet, and may take longer than two turns on a busy machine.
  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < 2; ) {
      const before = pulse.beats
      await pulse.turn()
      quiet = pulse.beats === before && pulse.pending === 0 && !isPlatformBusy() ? quiet + 1 : 0
    }
  }

  async function act(as: Owner, run: () => void): Promise<void> {
    const before = owner
    owner = as
    run()
    await settle()
    owner = before
  }

  return {
    now: () => now,
    elapsed: () => now - startsAt,
    owner: () => owner,
    world,
    after(delayMs, of, what, run) {
      pulse.beats++
      const event = {
        at: now + Math.max(0, delayMs),
        tie: random.whole(0, 1_000),
        order: order++,
        owner: of,
        what,
        run,
        cancelled: false,
      }
      push(event)
      return {
        cancel() {
          event.cancelled = true
        },
      }
    },
    async step(until) {
      const next = heap[0]
      if (!next || next.at > until) {
        now = until
        return false
      }
      pop()
      if (next.cancelled || !next.owner.alive) return true
      now = Math.max(now, next.at)
      if (next.owner.pausedUntil > now) {
        push({ ...next, at: next.owner.pausedUntil })
        return true
      }
      done++
      if (next.what !== '')
        await act(next.owner, () => {
          note(next.what)
          next.run()
        })
      else await act(next.owner, next.run)
      return true
    },
    act,
    note,
    trace: () => `${(trace >>> 0).toString(16)}-${done}`,
    events: () => done,
  }
}
