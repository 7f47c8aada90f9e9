import { merchantPrograms, officialPrograms, type Sale, settleCommands } from '@/app/docs/programs/merchants'
import { isEvmNetwork, type NetworkId } from '@/server/x402/networks'
import type { Language } from '../code/highlighter'

/** Complete programs that charge for a route, and the same calls with curl. */
export const programs = [...merchantPrograms, { name: 'curl', file: 'Terminal', text: settleCommands }] as const

/** A program with its values filled in. */
export type Filled = { name: string; file: string; code: string; language: Language }

/** The programs with these values. On Solana those with the official middleware. */
export function programsFor({ network, ...sale }: Sale<NetworkId>): Filled[] {
  return isEvmNetwork(network)
    ? programs.map(({ name, file, text }) => ({ name, file, code: text({ ...sale, network }), language: languageOf(name) }))
    : officialPrograms.map(({ name, file, text }) => ({
        name,
        file,
        code: text({ ...sale, network }),
        language: languageOf(name),
      }))
}

function languageOf(name: (typeof programs)[number]['name']): Language {
  if (name === 'Python') return 'python'
  return name === 'curl' ? 'shellscript' : 'typescript'
}
