import { merchantPrograms, officialPrograms, type Sale, settleCommands } from '@/app/docs/programs/merchants'
import { isEvmNetwork, type NetworkId } from '@/server/x402/networks'

/** Complete programs that charge for a route, and the same calls with curl. */
export const programs = [...merchantPrograms, { name: 'curl', text: settleCommands }] as const

/** The programs with these values, by name. On Solana those with the official middleware. */
export function programsFor({ network, ...sale }: Sale<NetworkId>): { name: string; code: string }[] {
  return isEvmNetwork(network)
    ? programs.map(({ name, text }) => ({ name, code: text({ ...sale, network }) }))
    : officialPrograms.map(({ name, text }) => ({ name, code: text({ ...sale, network }) }))
}
