import { register } from 'tsx/esm/api'

register()
const { MUTATIONS } = await import('../test/simulation/mutations.ts')
const { runSeeds, seedsFrom } = await import('../test/simulation/seeds.ts')
for (const mutation of MUTATIONS.slice(4)) {
  const runs = await runSeeds({ seeds: seedsFrom(1, 300), workers: 1, mutation, untilBroken: true })
  const caught = runs.find(({ violations }) => violations.length > 0)
  console.log(
    mutation.name,
    runs.length,
    caught?.seed,
    caught?.violations[0],
    caught?.tookMs,
    runs.reduce((s, r) => s + r.tookMs, 0),
  )
}
const runs = await runSeeds({ seeds: seedsFrom(1, 60), workers: 1 })
for (const r of runs) console.log(JSON.stringify([r.seed, r.paths, r.violations.length, r.tookMs]))
