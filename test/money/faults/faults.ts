import type { SvmKillSetup } from '../kill/svm'
import type { Fault } from './fault'
import { ofChain } from './faults-chain'
import { ofAnyNode, ofNodes } from './faults-nodes'
import { ofProcesses } from './faults-processes'
import { ofSolana } from './faults-solana'

export type { Fault, Setup } from './fault'

/** The faults on an EVM chain. */
export const faults: readonly Fault[] = [...ofAnyNode, ...ofNodes, ...ofChain, ...ofProcesses]

/** The faults under which payers send their approvals along: of what we send for them, and between these transactions. */
export const approvalFaults: readonly Fault[] = [...ofNodes, ...ofProcesses].filter(({ id }) => ['P3', 'P7', 'K10'].includes(id))

/** The faults on Solana. */
export const solanaFaults: readonly Fault<SvmKillSetup>[] = [...ofAnyNode, ...ofSolana, ...ofProcesses]
