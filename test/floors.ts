import path from 'node:path'
import { importsOf, readsEnvironment } from './imports'
import type { Source } from './source-files'

type Place = { floor: number; room: string }

/** First match wins. Rooms of one floor do not know each other, where they have different names. */
const FLOORS: [RegExp, Place][] = [
  [/^(app|components)\//, { floor: 7, room: 'screens' }],
  [/^server\/(errors|log|timing)\.ts$/, { floor: 0, room: 'ground' }],
  [/^server\/[^/]+$/, { floor: 6, room: 'process' }],
  [/^server\/door\//, { floor: 6, room: 'process' }],
  [/^server\/doctor\//, { floor: 6, room: 'process' }],
  [/^server\/telemetry\//, { floor: 6, room: 'process' }],
  [/^server\/http\//, { floor: 5, room: 'http' }],
  [/^server\/trpc\//, { floor: 5, room: 'trpc' }],
  [/^server\/services\//, { floor: 4, room: 'services' }],
  [/^server\/settlement\//, { floor: 3, room: 'settlement' }],
  [/^server\/chains\//, { floor: 2, room: 'chains' }],
  [/^server\/store\//, { floor: 2, room: 'store' }],
  [/^server\/upstream\//, { floor: 2, room: 'upstream' }],
  [/^server\/identity\//, { floor: 2, room: 'identity' }],
  [/^server\/x402\//, { floor: 1, room: 'x402' }],
]

type PackageRule = { what: string; from: RegExp; names?: RegExp; allowed: RegExp }

const PACKAGES: PackageRule[] = [
  { what: 'the Prisma client', from: /^@prisma\/|^generated\//, allowed: /^server\/store\// },
  {
    what: 'viem clients',
    from: /^viem$/,
    names: /^(\*|create\w*Client|createTransport|http|webSocket|fallback|custom|ipc|publicActions|walletActions|testActions)$/,
    allowed: /^server\/(chains\/[^/]+|identity\/.+)$/,
  },
  { what: 'viem clients', from: /^viem\/(actions|node)$/, allowed: /^server\/identity\// },
  { what: '@solana packages', from: /^@solana\//, allowed: /^components\/wallets\/|^server\/chains\/svm\// },
  { what: 'next', from: /^next(\/|$)/, allowed: /^(app|components)\/|^server\/(main|app)\.ts$/ },
]

/** What the file imports against the rules of the house; one sentence each, none when it keeps them. */
export function brokenFloors(source: Source): string[] {
  const { file } = source
  const here = placeOf(file)
  if (!here) return [`${file} is on no floor`]
  const broken = importsOf(source).flatMap(({ from, names }) => {
    const target = resolve(file, from)
    const rules = PACKAGES.filter(
      (rule) => rule.from.test(target) && (!rule.names || names.some((name) => rule.names?.test(name))),
    )
    const packages = rules
      .filter((rule) => !rule.allowed.test(file))
      .map((rule) => `${file} must not use ${rule.what} (${target})`)
    return mayReach(file, target) ? packages : [...packages, `${file} must not import ${target}`]
  })
  return readsEnvironment(source) && file !== 'server/env.ts' ? [...broken, `${file} must not read process.env`] : broken
}

/** What a path's own name breaks: catch-all folders and barrels. */
export function brokenName(file: string): string[] {
  const folders = path.posix.dirname(file).split('/')
  const vague = folders.filter((folder) => /^(utils?|libs?|helpers?|common|shared|misc)$/.test(folder))
  const barrel = /^index\.[cm]?[jt]sx?$/.test(path.posix.basename(file))
  return [...vague.map((folder) => `${file}: a folder named ${folder} has no noun`), ...(barrel ? [`${file}: no barrels`] : [])]
}

const placeOf = (file: string): Place | undefined => FLOORS.find(([pattern]) => pattern.test(file))?.[1]

function mayReach(file: string, target: string): boolean {
  if (/^(devnet|test|e2e|bench|examples|scripts)\//.test(target)) return false
  const here = placeOf(file)
  const there = placeOf(target)
  if (!here || !there) return true // a package, or a file of another kind
  if (file === 'server/routes.ts' && /^app\/(.*\/)?route$/.test(target)) return true
  if (here.room === 'chains' && chainFamily(target) && chainFamily(file) !== chainFamily(target)) return false
  return here.floor === there.floor ? here.room === there.room : here.floor > there.floor
}

const chainFamily = (file: string): string | undefined => /^server\/chains\/(evm|svm)\//.exec(file)?.[1]

/** An import as a path from the top of the repository, or as the package it names. */
function resolve(file: string, from: string): string {
  const target = from.startsWith('@/')
    ? from.slice(2)
    : from.startsWith('.')
      ? path.posix.join(path.posix.dirname(file), from)
      : from
  return /^server\/(errors|log|timing)$/.test(target) ? `${target}.ts` : target
}
