// Runs a script of ours under Node 24, on whatever Node 20 or newer the machine has: installs what the lockfile
// asks for if that has not been done, then uses the Node that came with it. Needs nothing but Node itself.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR = 24
const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}node_modules/.installed-from`
const lock = () =>
  createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock()) {
  // On standard error: what a command prints may be piped on.
  console.error('Installing packages (a minute or two, once) ...')
  // Not `npm ci`: it refuses a lockfile that was written where some platforms' optional packages are not to be had.
  const { status } = spawnSync('npm', ['install'], {
    cwd: root,
    stdio: ['inherit', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error('The packages could not be installed; npm says above why.')
    process.exit(1)
  }
  writeFileSync(stamp, lock())
}

const majorOf = (node) => {
  const { stdout, status } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return status === 0 ? Number(/^v(\d+)/.exec(stdout)?.[1]) : 0
}
const node = [`${root}node_modules/.bin/node`, process.execPath].find((path) => majorOf(path) >= NODE_MAJOR)
if (!node) {
  console.error(
    `Confetti needs Node ${NODE_MAJOR}. Its npm package \`node\` brings one, but npm did not run its install script.\n` +
      `Allow it (npm rebuild node), or install Node ${NODE_MAJOR}, and try again.`,
  )
  process.exit(1)
}

const [script, ...args] = process.argv.slice(2)
if (script) {
  const child = spawn(node, [script, ...args], { cwd: root, stdio: 'inherit' })
  // Ctrl-C reaches the child by itself; what is sent to this process alone is handed on.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1)
  })
}
