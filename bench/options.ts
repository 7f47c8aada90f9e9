import { parseArgs } from 'node:util'
import { type Scenario, type ShapeName, shapes } from './shapes'

/** What the command line asks for. */
export type Options = {
  scenarios: Scenario[]
  /** Paths of further adapters. */
  adapters: string[]
  /** The folder for the picture and the figures. */
  out: string | undefined
}

const USAGE = `npm run bench -- [block time in seconds, 0 for a block per transaction] [rounds]
  --shape users|one-key   only this shape
  --lanes N               only this number of signers, in the users' shape
  --rounds N              rounds after the first
  --adapter path          another facilitator beside ours and the official one; repeatable
  --out folder            write benchmarks.svg and results.json there`

/** Reads the command line. Throws an error with the usage for any invalid argument. */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parsed(args)
  const [blockTime, rounds, ...rest] = positionals
  if (rest.length > 0) throw new Error(`too many arguments: ${rest.join(' ')}\n${USAGE}`)
  const changes = {
    blockTime: numberIn('block time', blockTime, 0),
    rounds: wholeIn('rounds', values.rounds ?? rounds),
    lanes: wholeIn('lanes', values.lanes),
  }
  const names = values.shape === undefined ? shapeNames : shapeNames.filter((name) => name === values.shape)
  if (names.length === 0) throw new Error(`no shape is named ${values.shape}\n${USAGE}`)
  return { scenarios: names.flatMap((name) => scenariosOf(name, changes)), adapters: values.adapter ?? [], out: values.out }
}

const shapeNames = Object.keys(shapes).filter((name): name is ShapeName => name in shapes)

function parsed(args: string[]) {
  const text = { type: 'string' } as const
  const options = { shape: text, lanes: text, rounds: text, out: text, adapter: { ...text, multiple: true } } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : cause}\n${USAGE}`, { cause })
  }
}

/** What the command line sets instead of a shape's own values. */
type ShapeChanges = Record<'blockTime' | 'rounds' | 'lanes', number | undefined>

function scenariosOf(shape: ShapeName, { blockTime, rounds, lanes }: ShapeChanges): Scenario[] {
  const { blockTimes, lanes: usualLanes, rounds: usualRounds } = shapes[shape]
  const allLanes = lanes === undefined || shape === 'one-key' ? usualLanes : [lanes]
  return (blockTime === undefined ? blockTimes : [blockTime]).flatMap((blockTimeSeconds) =>
    allLanes.map((lanes) => ({ shape, blockTimeSeconds, lanes, rounds: rounds ?? usualRounds })),
  )
}

function wholeIn(name: string, text: string | undefined): number | undefined {
  const value = numberIn(name, text, 1)
  if (value !== undefined && !Number.isInteger(value)) throw new Error(`${name} is not a whole number: ${text}\n${USAGE}`)
  return value
}

function numberIn(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!(value >= least) || text.trim() === '') throw new Error(`${name} is not a number of at least ${least}: ${text}\n${USAGE}`)
  return value
}
