import { describe, expect, test } from 'vitest'
import { empty, join, sql, statementOf, uuids } from './sql'

const texts = (piece: ReturnType<typeof sql>) => {
  const { text, values } = statementOf(piece)
  return { text, values }
}

describe('statementOf', () => {
  test('values become parameters, and pieces become text with their parameters numbered through', () => {
    const mine = sql`"owner" = ${'o'} AND "at" > ${5}`
    expect(texts(sql`SELECT ${1} FROM t WHERE ${mine} AND "id" = ${2n} ${empty}LIMIT ${3}`)).toEqual({
      text: 'SELECT $1 FROM t WHERE "owner" = $2 AND "at" > $3 AND "id" = $4 LIMIT $5',
      values: [1, 'o', 5, 2n, 3],
    })
  })

  test('a value is never part of the text, even with SQL in it', () => {
    const evil = `'); DROP TABLE "Settlement"; --`
    expect(texts(sql`SELECT ${evil}`)).toEqual({ text: 'SELECT $1', values: [evil] })
  })

  test('pieces are joined; no piece is nothing', () => {
    const pieces = [1, 2, 3].map((n) => sql`a = ${n}`)
    expect(texts(sql`WHERE (${join(pieces, ' OR ')})`)).toEqual({ text: 'WHERE (a = $1 OR a = $2 OR a = $3)', values: [1, 2, 3] })
    expect(texts(sql`WHERE (${join(pieces.slice(0, 1), ' OR ')})`)).toEqual({ text: 'WHERE (a = $1)', values: [1] })
    expect(texts(sql`(${join([], ', ')})`)).toEqual({ text: '()', values: [] })
  })

  test('one text has one name; the same template with a piece in another place is another text', () => {
    const two = (a: number | ReturnType<typeof sql>, b: number | ReturnType<typeof sql>) => statementOf(sql`SELECT ${a}, ${b}`)
    expect(two(1, 2).name).toBe(two(3, 4).name)
    expect(two(1, sql`now()`)).toMatchObject({ text: 'SELECT $1, now()', values: [1] })
    expect(two(sql`now()`, 1)).toMatchObject({ text: 'SELECT now(), $1', values: [1] })
    expect(new Set([two(1, 2), two(1, sql`now()`), two(sql`now()`, 1)].map(({ name }) => name)).size).toBe(3)
    expect(Buffer.byteLength(two(1, 2).name)).toBeLessThan(63)
  })

  test('any number of ids is one text', () => {
    expect(statementOf(uuids(['a'])).text).toBe(statementOf(uuids(['a', 'b'])).text)
  })
})
