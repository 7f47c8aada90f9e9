import { type ChildProcess, execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { spawnTied } from '../../devnet/child'
import { ensureImageNode } from '../../scripts/install.mjs'
import { ROOT } from '../support/source-files'
import { copyOf, type Instruction, stagesOf } from './dockerfile'

const run = promisify(execFile)

/** An image as a folder, and what its Dockerfile says of a container. */
export type Image = {
  root: string
  env: Record<string, string>
  folder: string
  user: string
  command: string[]
  health: string[]
  volumes: string[]
}

/** Does in its own way what a RUN says, and returns true; or leaves it to the shell. */
export type Substitute = (command: string, image: Image) => Promise<boolean>

const Lock = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })

/** The places of the packages that an installation without those of development has. */
export function installedPackages(): string[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')))
  return Object.entries(packages).flatMap(([place, { dev }]) => (place === '' || dev ? [] : [place]))
}

/** Whether this machine can give a process a file system and a network of its own: Linux, as root, with the tools of Debian. */
export const canIsolate = (): boolean =>
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', '--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0

/** Users of the Node image, by their id. */
const USERS: Record<string, number> = { root: 0, node: 1000 }

/** A folder for images, with a function that removes it. Every user can enter it. */
export function imageFolder(): { folder: string; remove(): Promise<void> } {
  const folder = mkdtempSync(path.join(tmpdir(), 'quittance-image-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/**
 * Builds a target of the Dockerfile in an empty folder: each instruction as written, as its user, unless a substitute does it. `built` has
 * the stages that another target made there.
 */
export async function buildImage(
  target: string,
  folder: string,
  instead: Substitute = async () => false,
  built = new Map<string, Image>(),
): Promise<Image> {
  const stages = stagesOf(readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8'))

  async function build(name: string): Promise<Image> {
    const known = built.get(name)
    if (known) return known
    const stage = stages.find((one) => one.name === name)
    const parent = stage ? await build(stage.from) : null
    const image = parent ? { ...parent, root: path.join(folder, name) } : nodeImage(path.join(folder, 'node'))
    if (stage && parent) {
      await run('cp', ['--archive', parent.root, image.root])
      for (const instruction of stage.instructions) await follow(image, instruction)
    }
    built.set(name, image)
    return image
  }

  async function follow(image: Image, { keyword, rest }: Instruction): Promise<void> {
    switch (keyword) {
      case 'WORKDIR':
        image.folder = rest
        return void mkdirSync(path.join(image.root, rest), { recursive: true })
      case 'ENV':
        image.env = { ...image.env, ...Object.fromEntries(rest.split(' ').map((pair) => pair.split('='))) }
        return
      case 'COPY':
        return copy(image, rest)
      case 'RUN':
        if (await instead(rest, image)) return
        await runIn(image, ['/bin/sh', '-c', rest])
        return
      case 'USER':
        image.user = rest
        return
      case 'VOLUME':
        image.volumes = [...image.volumes, rest]
        return
      case 'HEALTHCHECK':
        image.health = words(rest.slice(rest.indexOf('CMD ') + 4))
        return
      case 'CMD':
        image.command = words(rest)
        return
      case 'EXPOSE':
        return
      default:
        throw new Error(`the Dockerfile has an instruction that this test does not know: ${keyword}`)
    }
  }

  async function copy(image: Image, rest: string): Promise<void> {
    const { from, owner, sources, to } = copyOf(rest)
    const place = path.join(image.root, path.posix.resolve(image.folder, to))
    const origin = from === null ? contextBelow(folder) : (await build(from)).root
    for (const source of sources) {
      const whole = path.join(origin, source)
      if (!existsSync(whole)) throw new Error(`COPY ${rest}: there is no ${source}`)
      const isFolder = spawnSync('test', ['-d', whole]).status === 0
      // The content of a folder, or a file by its name where the place ends with a slash.
      const target = !isFolder && to.endsWith('/') ? path.join(place, path.basename(source)) : place
      mkdirSync(path.dirname(target), { recursive: true })
      await run('cp', ['--archive', '--no-target-directory', whole, target])
      const id = USERS[owner?.split(':')[0] ?? 'root']
      await run('chown', ['--recursive', '--no-dereference', `${id}:${id}`, target])
    }
  }

  return build(target)
}

const words = (text: string): string[] => z.array(z.string()).parse(JSON.parse(text))

/** The image of Node: Debian's programs, and an empty rest. */
function nodeImage(root: string): Image {
  for (const folder of ['etc', 'usr', 'proc', 'dev', 'tmp', 'root', 'home/node', 'opt/node', 'var/tmp'])
    mkdirSync(path.join(root, folder), { recursive: true })
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) {
    if (existsSync(`/${folder}`)) spawnSync('ln', ['--symbolic', readlinkSync(`/${folder}`), path.join(root, folder)])
  }
  for (const file of ['resolv.conf', 'hosts', 'nsswitch.conf'])
    if (existsSync(`/etc/${file}`)) cpSync(`/etc/${file}`, path.join(root, 'etc', file), { dereference: true })
  const lines = Object.entries(USERS).map(([name, id]) => ({ name, id, home: name === 'root' ? '/root' : `/home/${name}` }))
  writeFileSync(
    path.join(root, 'etc/passwd'),
    lines.map(({ name, id, home }) => `${name}:x:${id}:${id}::${home}:/bin/sh\n`).join(''),
  )
  writeFileSync(path.join(root, 'etc/group'), lines.map(({ name, id }) => `${name}:x:${id}:\n`).join(''))
  mkdirSync(path.join(root, 'etc/ssl'))
  spawnSync('chown', ['1000:1000', path.join(root, 'home/node')])
  const env = { PATH: '/opt/node:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
  return { root, env, folder: '/', user: 'root', command: [], health: [], volumes: [] }
}

/** The build context: the files of a clone without those of `.dockerignore`, in a folder of their own. */
function contextBelow(folder: string): string {
  const context = path.join(folder, 'context')
  if (existsSync(context)) return context
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  for (const file of listed.stdout
    .split('\n')
    .filter((one) => one !== '' && !isIgnored(one) && existsSync(path.join(ROOT, one)))) {
    mkdirSync(path.dirname(path.join(context, file)), { recursive: true })
    cpSync(path.join(ROOT, file), path.join(context, file))
  }
  return context
}

/** Whether `.dockerignore` keeps a file out. The last line that fits decides. */
export function isIgnored(file: string, rules = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8')): boolean {
  const fits = (rule: string) => {
    const pattern = rule
      .split('**/')
      .map((part) => part.replaceAll('.', '\\.').replaceAll('*', '[^/]*'))
      .join('(?:.*/)?')
    return new RegExp(`^${pattern}(?:/|$)`).test(file)
  }
  const lines = rules.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.reduce((ignored, line) => (fits(line.replace(/^!/, '')) ? !line.startsWith('!') : ignored), false)
}

// The arguments: root, "ro" or "rw", network or none, folder of Node, volumes joined by blanks; then the command.
const ENTER = `set -e
root=$1 mode=$2 net=$3 node=$4 volumes=$5
shift 5
mount --make-rprivate /
mount --bind "$root" "$root"
mount --rbind /usr "$root/usr"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind /etc/ssl "$root/etc/ssl"
mount --bind "$node" "$root/opt/node"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
for volume in $volumes; do mount --bind "$root$volume" "$root$volume"; done
if [ "$mode" = ro ]; then mount -o remount,bind,ro "$root"; fi
if [ "$net" = own ]; then ip link set lo up; fi
exec chroot "$@"`

/** The folder of the image's Node; of ours where the registry has none for this platform. */
const nodeFolder = async () => path.dirname(await ensureImageNode().catch(() => process.execPath))

/** What lets npm and Node reach the registry from a machine with certificates of its own. */
function ofThisMachine(): Record<string, string> {
  const { NODE_EXTRA_CA_CERTS } = process.env
  return NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS, npm_config_cafile: NODE_EXTRA_CA_CERTS }
}

async function entering(image: Image, env: Record<string, string>, how: { readOnly: boolean; ownNetwork: boolean }) {
  const volumes = how.readOnly ? image.volumes.join(' ') : ''
  const own = [image.root, how.readOnly ? 'ro' : 'rw', how.ownNetwork ? 'own' : 'host', await nodeFolder(), volumes]
  const id = USERS[image.user]
  const home = image.user === 'root' ? '/root' : `/home/${image.user}`
  const pairs = Object.entries({ HOME: home, ...image.env, ...env }).map(([name, value]) => `${name}=${value}`)
  const enter = [`--userspec=${id}:${id}`, '--groups=', image.root, 'env', '--ignore-environment', `--chdir=${image.folder}`]
  const isolated = ['--mount', ...(how.ownNetwork ? ['--net'] : []), '/bin/sh', '-c', ENTER, 'sh']
  return [...isolated, ...own, ...enter, ...pairs]
}

/** Runs a command in an image, as its user, with the network of this machine. Resolves with its output; throws with it if it fails. */
export async function runIn(image: Image, command: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const args = await entering(image, { ...ofThisMachine(), ...env }, { readOnly: false, ownNetwork: false })
  const { status, stdout, stderr } = await new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile('unshare', [...args, ...command], { maxBuffer: 100_000_000 }, (failed, stdout, stderr) =>
      resolve({ status: failed?.code ?? 0, stdout, stderr }),
    )
  })
  if (status === 0) return stdout + stderr
  throw new Error(`${command.join(' ')} failed in the image (${status}):\n${(stdout + stderr).slice(-4_000)}`)
}

/** Starts the container's command as Docker does, in a network of its own. With a read-only root only its volumes and /tmp can be written. */
export async function startContainer(image: Image, env: Record<string, string>, readOnly = true): Promise<ChildProcess> {
  const args = await entering(image, env, { readOnly, ownNetwork: true })
  return spawnTied('unshare', [...args, ...image.command], { env: process.env, output: 'pipe' })
}

/** Runs a command in a started container, such as its health check. Resolves with its exit code and output. */
export async function runBeside(
  { pid }: ChildProcess,
  image: Image,
  command: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const id = String(USERS[image.user])
  const pairs = Object.entries({ ...image.env, ...env }).map(([name, value]) => `${name}=${value}`)
  const args = ['--target', String(pid), '--mount', '--net', '--root', '--setuid', id, '--setgid', id]
  const { status, stdout, stderr } = spawnSync('nsenter', [...args, 'env', '--ignore-environment', ...pairs, ...command], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  return { code: status ?? -1, output: stdout + stderr }
}
