import { setImmediate as breathe } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { GrammarState, HighlighterCore, ThemedToken } from 'shiki/core'

/** The languages of our programs; `text` has no colors. */
export type Language = 'typescript' | 'python' | 'shellscript' | 'json' | 'text'

type Grammar = Exclude<Language, 'text'>

/** A piece of code; `kind` selects its color, null is plain. */
export type Piece = { text: string; kind: string | null }

const THEME = 'variables'
// Our own programs are a few dozen; the rest is room for other base URLs.
const KEPT = 300
/** How long one piece of work may hold up payments, which share this thread. */
const TURN_MS = 8
// Patterns are compiled as they are met: a line that a busy machine cut short would color the rest wrong.
const NO_LIMIT_MS = 0

let loading: Promise<HighlighterCore> | null = null
const kept = new LRUCache<string, Promise<Piece[]>>({ max: KEPT })

/**
 * The colored pieces of a program of ours. Never for text of strangers, because patterns can be slow on hostile text. The grammars load
 * at the first call, and each program is read once.
 */
export function highlighted(code: string, language: Language): Promise<Piece[]> {
  if (language === 'text') return Promise.resolve([{ text: code, kind: null }])
  const key = `${language} ${code}`
  const known = kept.get(key)
  if (known) return known
  const pieces = loaded().then((core) => readAll(core, code, language))
  kept.set(key, pieces)
  // A failed load is tried again by the next page.
  pieces.catch(() => kept.delete(key))
  return pieces
}

function loaded(): Promise<HighlighterCore> {
  loading ??= load().catch((error) => {
    loading = null
    throw error
  })
  return loading
}

async function load(): Promise<HighlighterCore> {
  const { createHighlighterCore, createCssVariablesTheme } = await import('shiki/core')
  const { createJavaScriptRegexEngine } = await import('shiki/engine/javascript')
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: '--', fontStyle: false })],
    langs: [
      import('shiki/langs/typescript.mjs'),
      import('shiki/langs/python.mjs'),
      import('shiki/langs/shellscript.mjs'),
      import('shiki/langs/json.mjs'),
    ],
    engine: createJavaScriptRegexEngine(),
  })
}

/** The JSON that `curl -d` sends. It has the colors of JSON. */
const SENT_JSON = /(?<=-d ')\{[^']*\}(?=')/

async function readAll(core: HighlighterCore, code: string, language: Grammar): Promise<Piece[]> {
  const json = language === 'shellscript' ? SENT_JSON.exec(code) : null
  if (!json) return read(core, code, language)
  const end = json.index + json[0].length
  return [
    ...(await read(core, code.slice(0, json.index), language)),
    ...(await read(core, json[0], 'json')),
    ...(await read(core, code.slice(end), language)),
  ]
}

// Line by line, so that the first program, whose patterns are compiled as they are met, does not hold up payments.
async function read(core: HighlighterCore, code: string, lang: Grammar): Promise<Piece[]> {
  const pieces: Piece[] = []
  let grammarState: GrammarState | undefined
  let since = performance.now()
  for (const [at, line] of code.split('\n').entries()) {
    const lines = core.codeToTokensBase(line, {
      lang,
      theme: THEME,
      tokenizeTimeLimit: NO_LIMIT_MS,
      ...(grammarState ? { grammarState } : {}),
    })
    grammarState = core.getLastGrammarState(lines)
    for (const token of [...(at > 0 ? [{ content: '\n' }] : []), ...(lines[0] ?? [])]) add(pieces, token, lang)
    if (performance.now() - since > TURN_MS) {
      await breathe()
      since = performance.now()
    }
  }
  return pieces
}

function add(pieces: Piece[], { content, color }: Pick<ThemedToken, 'content' | 'color'>, lang: Grammar): void {
  const known = content.trim() === '' ? null : kindOf(color)
  // The names in JSON are plain: the color of keywords is near that of errors.
  const kind = lang === 'json' && known === 'keyword' ? null : known
  const last = pieces.at(-1)
  if (last && (last.kind === kind || content.trim() === '')) last.text += content
  else pieces.push({ text: content, kind })
}

/** The kinds with a color of their own (site.css). Each piece is an element, so punctuation has none. */
const COLORED: ReadonlySet<string> = new Set(['keyword', 'string', 'constant', 'comment', 'function'])

// `var(--token-string-expression)` is a string too.
function kindOf(color: string | undefined): string | null {
  const [, kind = ''] = /token-(\w+)/.exec(color ?? '') ?? []
  return COLORED.has(kind) ? kind : null
}
