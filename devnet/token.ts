import { signToken } from './identity/key'
import { userName } from './identity/options'
import { demoFolder, findRunning, readWorld } from './world-folder'

/** Prints a JWT with which `user` signs in at the running demo's merchant routes: alone on its line, for `curl`. */
export async function printToken(user = 'alice'): Promise<void> {
  const running = await findRunning(demoFolder)
  const world = readWorld(demoFolder)
  if (!running?.issuer || !world)
    return fail('The demo is not running. Start it with "npm run demo", then ask from another terminal.')
  const name = userName.safeParse(user)
  if (!name.success) return fail('A user name has 1 to 200 printable characters.')
  const { issuer, baseUrl } = running
  console.log(await signToken({ issuer, baseUrl, key: world.secrets.identityKey, user: name.data }))
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
