import fc from 'fast-check'

type Json = Record<string, unknown>

/** A member of a JSON object: its key, its value, and the text of its value, which may be invalid JSON. */
type Member = { key: string; text: string; value: unknown }

/** Replaces one member by none, one or several. */
type Change = (member: Member) => Member[]

type Edit = { at: string; change: Change }

/** JSON texts that break parsers; some have no JavaScript value. */
const AWKWARD = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1',
  '2',
  '3',
  '1.5',
  '1e3',
  '1e21',
  '1e308',
  '1e400',
  '-1e400',
  '9007199254740993',
  '""',
  '"0"',
  '"00"',
  '"-1"',
  '"+1"',
  '"1.0"',
  '"1e3"',
  '"0x10"',
  '"0b1"',
  '" 1"',
  '"1 "',
  '"1\\n"',
  '"1_000"',
  '"1,000"',
  '"NaN"',
  '"Infinity"',
  '"-0"',
  '"undefined"',
  '"null"',
  '"[object Object]"',
  '"١٢"',
  '"１２"',
  '"²"',
  '"0x"',
  '"0X00"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\u202e"',
  '"\\ufeff"',
  '"é"',
  '"e\\u0301"',
  '"ß"',
  '"İ"',
  '"🦊"',
  '"\\uffff"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"hasOwnProperty"',
  '"exact"',
  '"upto"',
  '"base"',
  '"solana"',
  '"eip155:1"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '[{}]',
  '{"0":"1"}',
  '{"length":4294967295}',
  '{"__proto__":{"exact":true}}',
  '{"":""}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":null}',
  '{"valueOf":1,"toJSON":"x"}',
  '{"then":{}}',
  String(2n ** 64n),
  String(2n ** 256n),
  `-${2n ** 256n}`,
  `"${2n ** 64n}"`,
  `"${2n ** 256n - 1n}"`,
  `"${2n ** 256n}"`,
  `"${'9'.repeat(78)}"`,
  `"${'9'.repeat(79)}"`,
  `"${'0'.repeat(78)}"`,
  `"0x${'f'.repeat(40)}"`,
  `"0x${'0'.repeat(40)}"`,
  `"0x${'6492'.repeat(16)}"`,
  `"0x${'ff'.repeat(65)}"`,
  `"0x${'00'.repeat(65)}"`,
  `"${'1'.repeat(32)}"`,
  `"${'z'.repeat(44)}"`,
  '['.repeat(9) + ']'.repeat(9),
  '{"a":'.repeat(14) + 1 + '}'.repeat(14),
  '['.repeat(40) + ']'.repeat(40),
  `"${'a'.repeat(9_000)}"`,
  'undefined',
  'NaN',
  "'x'",
  '"',
  '{',
  ',',
  '01',
  '.5',
  '0x1',
  '/**/1',
  '\u0001',
] as const

/** Other spellings of a text; most change its meaning. */
const RESPELLED: ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.replace(/^0x/, ''),
  (text) => text.replace(/^0x/, '0X'),
  (text) => `0x${text}`,
  (text) => text.slice(0, -1),
  (text) => text.slice(1),
  (text) => text.slice(0, -2),
  (text) => `${text}0`,
  (text) => `${text}00`,
  (text) => `0${text}`,
  (text) => `${'0'.repeat(80)}${text}`,
  (text) => `+${text}`,
  (text) => `-${text}`,
  (text) => ` ${text}`,
  (text) => `${text}\n`,
  (text) => `${text}.0`,
  (text) => `${text}e0`,
  (text) => `${text}\0`,
  (text) => `${text}\u200b`,
  (text) => `\ufeff${text}`,
  (text) => text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (text) => text.replaceAll('a', 'а'),
  (text) => text.split('').reverse().join(''),
  (text) => `${text},${text}`,
  (text) => text.replaceAll('+', '-').replaceAll('/', '_'),
  (text) => text.replace(/=+$/, ''),
  (text) => `${text}==`,
  (text) => encodeURIComponent(text),
  (text) => Buffer.from(text).toString('base64'),
  (text) => text.repeat(50),
  () => '',
]

const KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'toJSON', 'then', 'length', '', '0', 'permit2Authorization']

/** Values known to pass a parser and break later code. */
const NOTORIOUS = [
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  'null',
  '[]',
  '{}',
  '-1',
  '1e400',
  '1.5',
  '""',
  String(2n ** 53n),
  String(2n ** 31n),
]

/** A random text, often with meaning in another format. */
export const strangeText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...AWKWARD.map(textOf)),
  fc.constantFrom(...NOTORIOUS.map(textOf)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 20 }),
)

const awkward = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NOTORIOUS) },
  { weight: 6, arbitrary: fc.constantFrom(...AWKWARD) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.bigInt().map(String) },
)

/** The text itself or another spelling of it. */
export function respelling(text: string): fc.Arbitrary<string> {
  return fc.constantFrom((same: string) => same, ...RESPELLED).map((respell) => respell(text))
}

function textOf(json: string): string {
  return json.startsWith('"') && json.length > 1 ? String(JSON.parse(json)) : json
}

const alone = (change: (member: Member) => Partial<Member>): Change => {
  return (member) => [{ ...member, ...change(member) }]
}

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Change>(() => []) },
  { weight: 6, arbitrary: awkward.map((text) => alone(() => ({ text }))) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(...RESPELLED).map((respell) => alone((member) => ({ text: respelled(member, respell) }))),
  },
  { weight: 1, arbitrary: fc.constantFrom(...KEYS).map((key) => alone(() => ({ key }))) },
  { weight: 1, arbitrary: fc.constantFrom(...RESPELLED).map((respell) => alone(({ key }) => ({ key: respell(key) }))) },
  {
    weight: 1,
    arbitrary: awkward.map(
      (text): Change =>
        (member) => [member, { ...member, text }],
    ),
  },
  {
    weight: 1,
    arbitrary: awkward.map(
      (text): Change =>
        (member) => [{ ...member, text }, member],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...KEYS), awkward).map(
      ([key, text]): Change =>
        (member) => [member, { ...member, key, text }],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      alone(({ text }) => ({ text: `[${text}]` })),
      alone(({ text }) => ({ text: `{"0":${text}}` })),
      alone(({ text }) => ({ text: JSON.stringify(text) })),
      alone(({ text }) => ({ text: JSON.stringify(Buffer.from(text).toString('base64')) })),
      alone(({ value, text }) => ({ text: typeof value === 'string' ? value : text })),
    ),
  },
)

function respelled({ value, text }: Member, respell: (text: string) => string): string {
  return typeof value === 'string' ? JSON.stringify(respell(value)) : text
}

/** The text of a valid body with one notorious value or one to three changes; it may be invalid JSON. */
export function damaged(body: Json): fc.Arbitrary<string> {
  const at = fc.constantFrom(...placesIn(body))
  const notorious = fc.record({ at, change: fc.constantFrom(...NOTORIOUS).map((text) => alone(() => ({ text }))) })
  const edits = fc.oneof(
    notorious.map((edit) => [edit]),
    fc.array(fc.record({ at, change }), { minLength: 1, maxLength: 3 }),
  )
  return edits.map((each) => written(body, '', each))
}

/** The text with one part replaced by other text. */
export function torn(text: string): fc.Arbitrary<string> {
  const wound = fc.record({ at: fc.nat(text.length), gone: fc.nat(30), put: fc.string({ unit: 'binary', maxLength: 5 }) })
  return wound.map(({ at, gone, put }) => text.slice(0, at) + put + text.slice(at + gone))
}

function written(value: unknown, place: string, edits: Edit[]): string {
  if (!isRecord(value)) return JSON.stringify(value)
  const members = Object.entries(value).flatMap(([key, inner]) => {
    if (inner === undefined) return []
    const at = `${place}/${key}`
    const member = { key, text: written(inner, at, edits), value: inner }
    return edits.find((edit) => edit.at === at)?.change(member) ?? [member]
  })
  return `{${members.map(({ key, text }) => `${JSON.stringify(key)}:${text}`).join(',')}}`
}

/** The path of every member of a JSON value, including nested ones. */
function placesIn(value: unknown, place = ''): string[] {
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    return inner === undefined ? [] : [`${place}/${key}`, ...placesIn(inner, `${place}/${key}`)]
  })
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
