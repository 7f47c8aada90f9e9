import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, ROOT } from '../support/source-files'

const COLUMNS = 120
const WORDS = 28

const BANNED =
  /\b(whoever|whatever|whichever|whomever|(?:nobody|somebody|anybody|everybody)(?:['’]s)?|(?:is|are|was|were|be|been) told|lies at|comes? to (?:an|its|their) end|crosswise|under way|for ever|beside|in place of)\b/gi

/** A block of prose: a paragraph, a list item or a cell of a table, with the line where it starts. */
type Prose = { line: number; text: string }

/** The page with every line of its code blocks empty. */
const withoutCode = (page: string) => page.replace(/^ *```.*?^ *```/gms, (code) => code.replace(/[^\n]/g, ''))

const isRow = (line: string) => line.trimStart().startsWith('|')

/** The prose of a page in its order. Code counts as one word and a link as its text. */
function proseIn(page: string): Prose[] {
  const blocks: Prose[] = []
  let continues = false
  for (const [index, line] of withoutCode(page).split('\n').entries()) {
    const text = line.replace(/^\s*([-*]|\d+\.) /, '').trim()
    const starts = text !== line.trim() || /^#/.test(line)
    const last = blocks.at(-1)
    if (isRow(line)) blocks.push(...line.split('|').map((cell) => ({ line: index + 1, text: cell.trim() })))
    else if (continues && !starts && last) last.text += ` ${text}`
    else if (text !== '') blocks.push({ line: index + 1, text })
    continues = text !== '' && !isRow(line) && !/^#/.test(line)
  }
  return blocks.map(({ line, text }) => ({ line, text: plain(text) }))
}

const plain = (text: string) =>
  text
    .replace(/`[^`]*`/g, 'code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|(?<!\w)_|_(?!\w)/g, '')

const sentencesIn = (text: string) => text.split(/(?<=[.!?]\)?)\s+/)
const wordsIn = (sentence: string) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** The style faults of a page, each with its line. */
function faultsIn(page: string): string[] {
  const long = withoutCode(page)
    .split('\n')
    .flatMap((line, index) =>
      line.length > COLUMNS && !isRow(line) && !line.startsWith('![') ? [`${index + 1}: ${line.length} columns`] : [],
    )
  const wordy = proseIn(page).flatMap(({ line, text }) =>
    sentencesIn(text).flatMap((sentence) =>
      wordsIn(sentence) > WORDS ? [`${line}: ${wordsIn(sentence)} words: ${sentence}`] : [],
    ),
  )
  const banned = proseIn(page).flatMap(({ line, text }) => [...text.matchAll(BANNED)].map(([phrase]) => `${line}: "${phrase}"`))
  return [...long, ...wordy, ...banned]
}

const pages = filesBelow('.').filter((file) => file.endsWith('.md'))

describe('the style of the documentation', () => {
  test('finds the pages', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/engine.md', 'bench/README.md', 'examples/README.md']))
  })

  test.each(pages)('%s has short lines, short sentences and plain words', (file) => {
    expect(faultsIn(readFileSync(path.join(ROOT, file), 'utf8'))).toEqual([])
  })

  test('sees long lines, long sentences and banned phrases, but not in code', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')
    expect(faultsIn(`Whoever asks\nis told.\n\n| a | ${words(29)} |\n`)).toEqual([
      `4: 29 words: ${words(29)}`,
      '1: "Whoever"',
      '1: "is told"',
    ])
    expect(faultsIn(`- ${'x'.repeat(120)}`)).toEqual(['1: 122 columns'])
    expect(faultsIn(`\`\`\`sh\n# ${words(40)} whoever\n\`\`\`\nUse \`whoever\`. ${words(20)}.\n${words(20)}.\n`)).toEqual([])
  })
})
