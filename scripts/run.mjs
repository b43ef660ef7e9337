// Runs a script with Node 24, also if the installed Node is older (20 or newer): installs the npm packages if
// the lockfile has changed since the last installation, then uses the Node from the npm package `node`. It
// imports only Node's own modules, because it runs before the packages are installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR = 24
const root = fileURLToPath(new URL('..', import.meta.url))
const installedHashFile = `${root}node_modules/.installed-from`
const hashLockfile = () =>
  createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex')

if (!existsSync(installedHashFile) || readFileSync(installedHashFile, 'utf8') !== hashLockfile()) {
  // Uses standard error, because the output of a command may be piped.
  console.error('Installing npm packages (this takes a minute or two) ...')
  const { status } = spawnSync('npm', ['ci'], {
    cwd: root,
    stdio: ['inherit', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error('The npm packages could not be installed. See the output of npm above.')
    process.exit(1)
  }
  writeFileSync(installedHashFile, hashLockfile())
}

const getMajorVersion = (node) => {
  const { stdout, status } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return status === 0 ? Number(/^v(\d+)/.exec(stdout)?.[1]) : 0
}
const node = [`${root}node_modules/.bin/node`, process.execPath].find(
  (path) => getMajorVersion(path) >= NODE_MAJOR,
)
if (!node) {
  console.error(
    `Confetti needs Node ${NODE_MAJOR}. The npm package \`node\` provides it, but npm did not run its install script.\n` +
      `Run \`npm rebuild node\` or install Node ${NODE_MAJOR}, then try again.`,
  )
  process.exit(1)
}

/** The process id of npm: the parent, or above the shell that stays between them on some systems, such as Debian. */
const getNpmPid = () => {
  try {
    const [, name, parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8'))
    return name.endsWith('sh') ? Number(parent) : process.ppid
  } catch {
    return process.ppid // There is no /proc outside Linux.
  }
}

const [script, ...args] = process.argv.slice(2)
if (script) {
  // The channel closes when this process ends, even if it is killed. Scripts that start processes stop then.
  const child = spawn(node, [script, ...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  // The terminal sends SIGINT to the child, too. SIGTERM reaches only this process, so it is forwarded.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  // npm that is killed forwards nothing.
  const npm = getNpmPid()
  if (process.env.npm_lifecycle_event)
    setInterval(() => {
      if (getNpmPid() !== npm) child.kill('SIGTERM')
    }, 1_000).unref()
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1)
  })
}
