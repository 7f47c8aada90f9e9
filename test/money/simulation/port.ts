import type { Db } from '../../../server/db/database'
import type { Announcement } from '../../../server/db/notices'
import { clientOf, connectionLost, type Database, type Statement } from './database'
import type { DatabaseFaults } from './faults'
import { hashOf, type Random } from './random'
import type { Owner, Schedule } from './schedule'
import type { Result } from './wire'

type PortOptions = {
  database: Database
  schedule: Schedule
  random: Random
  owner: Owner
  faults: () => DatabaseFaults
  isDown: () => boolean
  /** The database is embedded: a statement that has not run when its process dies never runs. */
  exclusive: boolean
  /** Called after each completed statement. */
  onDone: (owner: Owner, statement: Statement, result: Result) => void
  announce: (what: Announcement) => void
}

/** The timeout of a statement without an answer. */
const TIMEOUT_MS = 6_000

/** An instance's database connection. A sent statement runs even if the instance dies meanwhile. */
export function createPort({ database, schedule, random, owner, ...options }: PortOptions): Db {
  const names = new Map<string, string>()
  const nameOf = (sql: string) => {
    const known = names.get(sql) ?? `db ${(hashOf(sql) >>> 0).toString(36)}`
    names.set(sql, known)
    return known
  }

  function done(statement: Statement): Result {
    const result = database.run(statement)
    schedule.note(`${owner.name} ${nameOf(statement.sql)} ${result.affected}`)
    options.onDone(owner, statement, result)
    if (statement.sql.startsWith('SELECT pg_notify')) options.announce(announcementIn(String(statement.values[1])))
    return result
  }

  return clientOf(
    (statement) =>
      new Promise((resolve, reject) => {
        // A dead instance sends nothing.
        if (!owner.alive) return
        const { slow, error, lost } = options.faults()
        const travel = () => (random.chance(slow) ? random.whole(10, 1_500) : random.next())
        const fail = (message: string, afterMs: number) =>
          void schedule.after(afterMs, owner, '', () => reject(connectionLost(message)))
        if (options.isDown()) return fail('the database is not there', travel())
        if (random.chance(error)) return fail('the connection broke', travel())
        schedule.after(travel(), options.exclusive || owner.pausedUntil > schedule.now() ? owner : schedule.world, '', () => {
          if (options.isDown()) return fail('the database went away', travel())
          let say: () => void
          try {
            const result = done(statement)
            say = () => resolve(result)
          } catch (cause) {
            say = () => reject(cause)
          }
          if (random.chance(lost)) return fail('the answer was lost', random.pick([travel(), TIMEOUT_MS]))
          schedule.after(travel(), owner, '', say)
        })
      }),
  )
}

function announcementIn(payload: string): Announcement {
  if (payload === 'claims' || payload === 'slots') return payload
  const [how, settlementId = ''] = payload.split(' ')
  return { settlementId, how: how === 'underfunded' ? how : 'woken' }
}
