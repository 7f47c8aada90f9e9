import type { SvmKillSetup } from '../svm-kills'
import type { Fault } from './fault'
import { ofChain } from './faults-chain'
import { ofAnyNode, ofNodes } from './faults-nodes'
import { ofProcesses } from './faults-processes'
import { ofSolana } from './faults-solana'

export type { Fault, Setup } from './fault'

/** The faults on an EVM chain. */
export const faults: readonly Fault[] = [...ofAnyNode, ...ofNodes, ...ofChain, ...ofProcesses]

/** The faults on Solana. */
export const solanaFaults: readonly Fault<SvmKillSetup>[] = [...ofAnyNode, ...ofSolana, ...ofProcesses]
