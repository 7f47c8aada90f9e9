import { isEvmNetwork, type NetworkId } from '../../../server/x402/networks/networks'
import type { Language } from '../../ui/code/highlighter'
import type { Variant } from '../../ui/code/tabs'
import { merchantPrograms, officialPrograms, type Sale, sandboxSale, settleCommands } from './merchants'

/** Complete programs that charge for a route, and the same calls with curl. */
export const programs = [...merchantPrograms, { name: 'curl', file: 'Terminal', text: settleCommands }] as const

/** A program with its values filled in, and the commands that install and run it; null without one. */
type Filled = { name: string; file: string; code: string; language: Language; install: string | null; run: string | null }

/** The programs with these values. On Solana those with the official middleware. */
export function programsFor({ network, ...sale }: Sale<NetworkId>): Filled[] {
  return isEvmNetwork(network)
    ? programs.map(({ name, file, text }) => filled(name, file, text({ ...sale, network })))
    : officialPrograms.map(({ name, file, text }) => filled(name, file, text({ ...sale, network })))
}

const COMMENT = /^(?:\/\/|#) /
const INSTALL = /^npm install /
const RUN = /^(?:node|npx|python3) /

/** Takes the commands out of the comments at the top of a program. */
function filled(name: ProgramName, file: string, text: string): Filled {
  const lines = text.split('\n')
  const notes = lines.slice(
    0,
    lines.findIndex((line) => !COMMENT.test(line)),
  )
  const commands = notes.map((note) => note.replace(COMMENT, ''))
  const said = (at: number) => [INSTALL, RUN].some((one) => one.test(commands[at] ?? ''))
  return {
    name,
    file,
    code: [...notes.filter((_, at) => !said(at)), ...lines.slice(notes.length)].join('\n'),
    language: languageOf(name),
    install: commands.find((command) => INSTALL.test(command)) ?? null,
    run: commands.find((command) => RUN.test(command)) ?? null,
  }
}

type ProgramName = (typeof programs)[number]['name']

function languageOf(name: ProgramName): Language {
  if (name === 'Python') return 'python'
  return name === 'curl' ? 'shellscript' : 'typescript'
}

/** The programs of the sandbox as tabs, each with its commands. */
export const sandboxVariants = (baseUrl: string): Variant[] =>
  merchantPrograms.map(({ name, file, text }) => {
    const { code, language, install, run } = filled(name, file, text(sandboxSale(baseUrl)))
    const commands = [install, run].filter((command) => command !== null).join('\n')
    return { label: name, name: `${name}: ${file}`, code, language, commands }
  })

/** The lines of each program that differ between the sandbox and real money, as tabs. */
export function liveVariants(baseUrl: string): Variant[] {
  const sale = sandboxSale(baseUrl)
  const live = { ...sale, url: `${baseUrl}/v1/<API_KEY>`, network: 'eip155:8453' } as const
  return merchantPrograms.map(({ name, text }) => {
    const before = text(sale).split('\n')
    const changed = text(live)
      .split('\n')
      .filter((line, at) => line !== before[at])
    const code = changed.map((line) => line.trim()).join('\n')
    return { label: name, name: `${name}: changed lines`, code, language: languageOf(name) }
  })
}
