/** What a test can need besides its own process, the least first. The end of its file's name says it (docs/testing.md). */
const KINDS = ['pure', 'db', 'chain', 'process']

/** Throws in a test whose kind may not start this. Outside `npm test` nothing is refused. */
export function needs(kind: 'db' | 'chain' | 'process'): void {
  const { TEST_KIND } = process.env
  if (TEST_KIND === undefined || KINDS.indexOf(TEST_KIND) >= KINDS.indexOf(kind)) return
  throw new Error(`A ${TEST_KIND} test starts what only a ${kind} test may start: name its file *.${kind}.test.ts.`)
}
