import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { getAddress } from 'viem'
import { startTwoNetworks } from '../../../test/interop/official-clients'
import { startRecorder } from '../../../test/support/service/recorder'
import { ROOT } from '../../../test/support/source-files'

const run = promisify(execFile)

/** Packs the program into a new folder below `parent`, and starts what it needs. */
export async function startPackedWorld(parent: string) {
  const recorder = await startRecorder()
  // Receipts name the base URL as their issuer.
  const [all, folder] = await Promise.all([startTwoNetworks(() => ({ BASE_URL: recorder.url })), packedPackage(parent)])
  recorder.leadTo(all.service.url)
  const faucet = createServer(async (request, response) => {
    await all.networks.sepolia.chain.mint(getAddress(request.url?.split('/').at(-1) ?? ''), 10_000n)
    response.end('{}')
  })
  await new Promise<void>((resolve) => faucet.listen(0, '127.0.0.1', resolve))
  const faucetUrl = `http://127.0.0.1:${(faucet.address() as AddressInfo).port}`
  return {
    sepolia: all.networks.sepolia.chain,
    url: recorder.url,
    folder,
    faucet: faucetUrl,
    /** Runs the program in its folder; resolves with what it printed, after `FAILED` if it failed. */
    async quittance(args: string[], env: Record<string, string> = {}): Promise<string> {
      const { PATH = '', HOME = '' } = process.env
      const program = path.join(folder, 'node_modules', '@quittance', 'x402', 'dist', 'cli.js')
      const options = { cwd: folder, env: { PATH, HOME, NODE_ENV: 'test', ...env } } as const
      const { stdout, stderr } = await run(process.execPath, [program, ...args], options).catch((failed: object) => {
        const { stdout = '', stderr = '' }: { stdout?: string; stderr?: string } = failed
        return { stdout, stderr: `FAILED ${stderr}` }
      })
      return stdout + stderr
    },
    async close() {
      faucet.close()
      rmSync(folder, { recursive: true, force: true })
      await Promise.all([all.close(), recorder.close()])
    },
  }
}

/** The tarball as npm publishes it, unpacked in a new folder. */
export async function packedPackage(parent: string): Promise<string> {
  const folder = mkdtempSync(path.join(parent, 'starter-'))
  const source = path.join(ROOT, 'packages', 'quittance')
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source })
  const target = path.join(folder, 'node_modules', '@quittance', 'x402')
  mkdirSync(target, { recursive: true })
  await run('tar', ['-xzf', path.join(folder, stdout.trim().split('\n').at(-1) ?? ''), '-C', target, '--strip-components=1'])
  // What `init` would install.
  for (const name of ['@x402', '@hono', 'express', 'hono'])
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name))
  return folder
}
