import type { FailpointName } from '../../../server/base/failpoints'
import type { Log } from '../../../server/base/log'
import type { Announcement } from '../../../server/db/notices'
import type { Chain } from './chain'
import type { Database } from './database'
import type { Faults } from './faults'
import { type Instance, type Setting, startInstance } from './instance'
import { createNode } from './node'
import type { Oracle } from './oracle'
import { createPort } from './port'
import type { Random } from './random'
import type { Owner, Schedule } from './schedule'

type FleetOptions = {
  schedule: Schedule
  random: Random
  database: Database
  chain: Chain
  oracle: Oracle
  setting: Setting
  faults: () => Faults
  isDown: () => boolean
  log: Log
  /** Called when an instance ends. */
  onGone: (instance: Instance) => void
}

/** The service's instances on one database. */
export type Fleet = {
  up(): readonly Instance[]
  /** Starts an instance. */
  start(): void
  /** Kills or stops a random instance; another one starts later. */
  end(): void
  /** Pauses a random instance. */
  pause(ms: number): void
}

/** Moments that few payments have: more of the processes that fail at all end there. */
const RARE: ReadonlySet<FailpointName> = new Set(['funding committed', 'approval sent'])

/** A fleet without instances. */
export function createFleet(options: FleetOptions): Fleet {
  const { schedule, random, database, chain, oracle, setting } = options
  const up: Instance[] = []
  const ears = new Map<Owner, (what: Announcement) => void>()
  let started = 0

  function announce(what: Announcement): void {
    for (const [owner, hear] of ears) {
      if (!owner.alive) ears.delete(owner)
      else if (!random.chance(options.faults().world.deaf)) schedule.after(random.whole(0, 5), owner, '', () => hear(what))
    }
  }

  function start(): void {
    const owner: Owner = { name: `i${++started}`, alive: true, pausedUntil: 0 }
    const stream = random.stream(owner.name)
    const faults = () => options.faults().node
    const node = { chain, schedule, owner, faults, onSend: oracle.sent }
    const db = createPort({
      database,
      schedule,
      owner,
      announce,
      exclusive: setting.exclusive,
      onDone: oracle.done,
      isDown: options.isDown,
      random: stream.stream('database'),
      faults: () => options.faults().database,
    })
    const parts = {
      owner,
      setting,
      db,
      log: options.log,
      failpoint: (moment: FailpointName) => strike(owner, stream, moment),
      node: createNode({ ...node, random: stream.stream('node'), preconfirms: false }),
      flashNode: createNode({ ...node, random: stream.stream('flash node'), preconfirms: true }),
      listen: (hear: (what: Announcement) => void) => void ears.set(owner, hear),
    }
    schedule.after(0, owner, `${owner.name} starts`, () => {
      startInstance(parts).then(
        (instance) => void up.push(instance),
        () => gone(owner),
      )
    })
  }

  /** Kills or pauses the instance at exactly this point of its code. */
  function strike(owner: Owner, chance: Random, moment: FailpointName): void {
    const { crashAt, pauseAt } = options.faults().world
    const isLast = owner.alive && chance.chance(crashAt * (RARE.has(moment) ? 5 : 1))
    const isLong = owner.alive && chance.chance(pauseAt)
    if (isLast) {
      schedule.note(`the end at "${moment}"`)
      remove(owner)
      gone(owner)
    } else if (isLong) hold(owner, chance.whole(500, 6_000), moment)
  }

  function remove(owner: Owner): void {
    const at = up.findIndex((one) => one.owner === owner)
    const [instance] = at < 0 ? [] : up.splice(at, 1)
    if (instance) options.onGone(instance)
  }

  function hold(owner: Owner, ms: number, moment: string): void {
    schedule.note(`${owner.name} stands still for ${ms} ms at "${moment}"`)
    owner.pausedUntil = schedule.now() + ms
  }

  function gone(owner: Owner): void {
    schedule.note(`${owner.name} is gone`)
    owner.alive = false
    ears.delete(owner)
    schedule.after(random.whole(50, 2_500), schedule.world, '', start)
  }

  function end(): void {
    if (up.length === 0) return
    const { owner, stop } = random.pick(up)
    remove(owner)
    if (random.chance(0.75)) {
      gone(owner)
      return
    }
    schedule.note(`${owner.name} is asked to stop`)
    schedule.after(0, owner, '', () => {
      const over = () => owner.alive && gone(owner)
      stop().then(over, over)
      schedule.after(5_000, schedule.world, '', over)
    })
  }

  return {
    up: () => up,
    start,
    end,
    pause(ms) {
      if (up.length > 0) hold(random.pick(up).owner, ms, 'any time')
    },
  }
}
