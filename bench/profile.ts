import { Session } from 'node:inspector/promises'

/** CPU milliseconds by function of our bundle, file of ours, package, or part of Node. */
export type Profile = { where: string; ms: number }[]

/** Samples this process from now on; the returned function stops and returns the profile, largest first. */
export async function startProfile(): Promise<() => Promise<Profile>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 500 })
  await session.post('Profiler.start')
  return async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    const byId = new Map(profile.nodes.map((node) => [node.id, node]))
    const spent = new Map<string, number>()
    for (const [at, id] of (profile.samples ?? []).entries()) {
      const frame = byId.get(id)?.callFrame
      if (!frame || frame.functionName === '(idle)') continue
      const where = moduleOf(frame.url, frame.functionName)
      spent.set(where, (spent.get(where) ?? 0) + (profile.timeDeltas?.[at] ?? 0) / 1_000)
    }
    return [...spent].map(([where, ms]) => ({ where, ms })).sort((a, b) => b.ms - a.ms)
  }
}

function moduleOf(url: string, functionName: string): string {
  if (url.includes('/.cache/')) return functionName || '(our bundle)'
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(url)
  if (inPackage?.[1]) return inPackage[1]
  const own = /\/(server|generated|test|bench|devnet)\/(.*)$/.exec(url)
  if (own) return `${own[1]}/${own[1] === 'generated' ? 'prisma' : own[2]}`
  if (url.startsWith('node:')) return url
  return functionName || '(native)'
}
