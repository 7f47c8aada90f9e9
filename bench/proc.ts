import { readFile } from 'node:fs/promises'

/** CPU since the start of a process, and its resident memory. */
export type ProcessUsage = { cpuMs: number; rssBytes: number }

/** Linux shows CPU times in hundredths of a second. */
const TICK_MS = 10

/** Reads a process's CPU, with that of its ended children, and its memory. Linux only. */
export async function processUsage(pid: number): Promise<ProcessUsage> {
  const [stat, status] = await Promise.all(['stat', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')))
  return { cpuMs: cpuMsIn(stat ?? ''), rssBytes: rssBytesIn(status ?? '') }
}

/** User and system time, with that of children that the process waited for, in `/proc/<pid>/stat`. */
export function cpuMsIn(stat: string): number {
  // The name in parentheses may contain spaces and parentheses. Fields 14 to 17 are the times; 3 is the first after the name.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const times = fields.slice(11, 15).map(Number)
  if (times.length < 4 || times.some(Number.isNaN)) throw new Error(`no CPU times in ${stat}`)
  return times.reduce((sum, ticks) => sum + ticks, 0) * TICK_MS
}

/** Resident memory in `/proc/<pid>/status`; 0 for a process that has ended. */
export function rssBytesIn(status: string): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? []
  return Number(kilobytes) * 1_024
}
