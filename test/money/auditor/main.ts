// The auditor reads a description from standard input, checks the result of a run and prints the verdicts as JSON. It shares
// no code with the service, so that a mistake there cannot hide here. By hand:
//   node --import tsx test/money/auditor/main.ts < description.json
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { readChains } from './chain'
import { channelActs, channelCharges, channelSums } from './channel-verdicts'
import { actedSchema, answeredSchema, type Description, descriptionSchema } from './description'
import { readLedger } from './ledger'
import { secretsInLogs } from './secrets'
import {
  doubleSuccess,
  type Evidence,
  orphanClaims,
  overcharges,
  quotaOvergrant,
  slotGaps,
  successWithoutTransfer,
  transferWithoutRow,
  type Verdicts,
} from './verdicts'

const POLL_MS = 250

const description = descriptionSchema.parse(JSON.parse(await text(process.stdin)))
const verdicts = judge(description, await settledEvidence(description))
const counts = Object.fromEntries(Object.entries(verdicts).map(([name, found]) => [name, found.length]))
console.log(JSON.stringify({ counts, found: verdicts }, null, 2))
process.exitCode = Object.values(counts).every((count) => count === 0) ? 0 : 1

function judge({ logs, secrets, quotas, charges, bounds }: Description, evidence: Evidence): Verdicts {
  return {
    double_success: doubleSuccess(evidence),
    success_without_transfer: successWithoutTransfer(evidence),
    transfer_without_row: transferWithoutRow(evidence),
    overcharges: overcharges(evidence),
    orphan_claims: orphanClaims(evidence, bounds),
    slot_gaps: slotGaps(evidence, bounds),
    quota_overgrant: quotaOvergrant(evidence, quotas),
    channel_sums: channelSums(evidence),
    channel_acts: channelActs(evidence),
    channel_charges: channelCharges(evidence, charges ?? []),
    secrets_in_logs: secretsInLogs(logs, secrets),
  }
}

/** Reads the evidence once everything is settled or late. */
async function settledEvidence({ databaseUrl, chains, answers, bounds }: Description): Promise<Evidence> {
  const lines = readFileSync(answers, 'utf8').split('\n').filter(Boolean)
  const told = lines.map((line) => z.union([actedSchema, answeredSchema]).parse(JSON.parse(line)))
  const answered = told.flatMap((one) => ('act' in one ? [] : [one]))
  const acted = told.flatMap((one) => ('act' in one ? [one] : []))
  for (;;) {
    const ledger = await readLedger(databaseUrl)
    const open = ledger.settlements.filter(({ state }) => ['CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED'].includes(state))
    const inTime = [
      ...open.map(({ ageMs }) => ageMs <= bounds.settlementMs),
      ...ledger.slots.filter(({ state }) => state === 'open').map(({ ageMs }) => ageMs <= bounds.slotMs),
    ]
    // Only late items are violations, so wait for the open ones that are in time.
    if (!inTime.includes(true)) return { answers: answered, acted, ledger, chains: await readChains(chains, ledger.lanes) }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
