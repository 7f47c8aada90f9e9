import { createPayer } from './payer'
import { paymentLine, paymentProblem } from './print'
import { demoFolder, findRunning, readWorld } from './world-folder'

/** Pays the running demo's merchant once, as its payer, with the official client. */
export async function payOnce(path = '/weather'): Promise<void> {
  const running = await findRunning(demoFolder)
  const world = readWorld(demoFolder)
  if (!running || !world) return fail('The demo is not running. Start it with "npm run demo", then pay from another terminal.')
  try {
    const solana = { secretKey: world.keys.solanaPayer, nodes: running.nodes ?? {} }
    const answer = await createPayer(world.keys.payer, solana).pay(new URL(path, running.merchantUrl).href)
    const problem = paymentProblem(path, answer)
    if (problem) return fail(problem)
    console.log(paymentLine(path, answer))
  } catch (cause) {
    fail(`Paying ${running.merchantUrl}${path} failed: ${cause instanceof Error ? cause.message : cause}`)
  }
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
