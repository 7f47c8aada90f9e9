import { type Hex, numberToHex, size } from 'viem'

/** The instructions of the EVM that our programs use; `push` makes the others. */
const OPCODES = {
  STOP: '00',
  ADD: '01',
  GT: '11',
  ISZERO: '15',
  AND: '16',
  OR: '17',
  SHL: '1b',
  SHR: '1c',
  CODESIZE: '38',
  CODECOPY: '39',
  EXTCODESIZE: '3b',
  RETURNDATASIZE: '3d',
  POP: '50',
  MLOAD: '51',
  MSTORE: '52',
  MSTORE8: '53',
  JUMPI: '57',
  PUSH0: '5f',
  DUP1: '80',
  DUP2: '81',
  DUP3: '82',
  DUP4: '83',
  DUP5: '84',
  DUP8: '87',
  SWAP1: '90',
  CALL: 'f1',
  RETURN: 'f3',
  REVERT: 'fd',
} as const

/** The position of a label in the program, or so many bytes behind it. */
type Place = { at: string; plus?: number }

type Value = number | bigint | Hex | Place

/** An instruction, a place to jump to, a label, or bytes that are no instructions. */
export type Step =
  | keyof typeof OPCODES
  | { push: number; value: Value }
  | { jumpdest: string }
  | { label: string }
  | { data: Hex }

/** PUSH1 to PUSH32: a value of so many bytes. */
export const push = (bytes: number, value: Value): Step => ({ push: bytes, value })

/** The bytes of a program. Throws when a value does not fit, or a label is unknown. */
export function assemble(steps: readonly Step[]): Hex {
  const places = placesIn(steps)
  const resolve = (value: number | bigint | Place) => {
    if (typeof value !== 'object') return value
    const place = places.get(value.at)
    if (place === undefined) throw new Error(`a program has no label ${value.at}`)
    return place + (value.plus ?? 0)
  }
  return `0x${steps.map((step) => bytesOf(step, resolve)).join('')}`
}

function bytesOf(step: Step, resolve: (value: number | bigint | Place) => number | bigint): string {
  if (typeof step === 'string') return OPCODES[step]
  if ('jumpdest' in step) return '5b'
  if ('label' in step) return ''
  if ('data' in step) return step.data.slice(2)
  const { push, value } = step
  const bytes = typeof value === 'string' ? value : numberToHex(resolve(value), { size: push })
  if (size(bytes) !== push) throw new Error(`a value of ${size(bytes)} bytes does not fit PUSH${push}`)
  return (PUSH0 + push).toString(16) + bytes.slice(2)
}

const PUSH0 = 0x5f

function placesIn(steps: readonly Step[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  let at = 0
  for (const step of steps) {
    if (typeof step === 'string') at += 1
    else if ('jumpdest' in step) places.set(step.jumpdest, at++)
    else if ('label' in step) places.set(step.label, at)
    else at += 'data' in step ? size(step.data) : 1 + step.push
  }
  return places
}
