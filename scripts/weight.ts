import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { root } from './paths.ts'

// How much there is to read: `npm run weight` prints product files and lines of each package, the median file, the share of
// the services' lines that only connect parts, exports with one user, and the length of tests and documents.

interface SourceFile {
  path: string
  text: string
  lines: number
}

const files = execFileSync('git', ['-C', root, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 1 << 26 })
  .split('\0')
  .filter((path) => /\.(?:ts|tsx|md)$/.test(path))
  .map((path): SourceFile => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path, text, lines: text.split('\n').length - 1 }
  })

const isTest = ({ path }: SourceFile): boolean =>
  /\.test\.|\/test\/|^e2e\/|^ops\/|^libs\/test-kit\/|^simulation\//.test(path)
const isProduct = (file: SourceFile): boolean =>
  /^(?:gateway|services|frontends|libs)\/.*(?<!\.d)\.tsx?$/.test(file.path) && !isTest(file)

const sum = (list: readonly SourceFile[]): number => list.reduce((total, { lines }) => total + lines, 0)
const packageOf = ({ path }: SourceFile): string =>
  path.startsWith('gateway/') ? 'gateway' : path.split('/').slice(0, 2).join('/')

/**
 * Lines that only connect parts: imports, re-exports, types of dependencies, the parameters and wrapping of a factory, and all
 * of the files that put a service together.
 */
const countWiring = ({ path, text, lines }: SourceFile): number => {
  if (/\/(?:main|start|capabilities|app|routes|consumers)\.ts$|\/(?:routes|consumers)\//.test(path))
    return lines
  const blocks = [
    /^import [^;]*? from '[^']*'$/gms,
    /^export (?:type )?\{[^}]*\} from '[^']*'$/gm,
    /^(?:export )?interface \w*(?:Deps|Options)\b[^{]*\{$.*?^\}$/gms,
    /^export const (?:make|create)\w+ =\s*(?:<[^>]*>)?\s*\(.*?\)(?::[^=]*)? =>/gms,
    /^export type \w+ = ReturnType<typeof \w+>$/gm,
  ]
  return blocks
    .flatMap((pattern) => text.match(pattern) ?? [])
    .reduce((total, block) => total + block.split('\n').length, 0)
}

/** The files that import each export of product files, by "file#name". Exports of a package's entry count as its own. */
const findUsers = (product: readonly SourceFile[]): Map<string, number> => {
  const users = new Map<string, number>()
  for (const { path, text } of product)
    for (const [, name] of text.matchAll(
      /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm,
    ))
      users.set(`${path}#${name ?? ''}`, 0)
  for (const { path, text } of product)
    for (const [, names, from] of text.matchAll(
      /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']*)'/gm,
    )) {
      const target = resolve('/', dirname(path), from ?? '').slice(1)
      for (const name of (names ?? '').matchAll(/(?:type )?(\w+)(?: as \w+)?\s*(?:,|$)/g)) {
        const key = `${target}#${name[1] ?? ''}`
        if (users.has(key)) users.set(key, (users.get(key) ?? 0) + 1)
      }
    }
  return users
}

const product = files.filter(isProduct)
const packages = Map.groupBy(product, packageOf)
for (const [name, list] of [...packages].sort(([one], [other]) => one.localeCompare(other)))
  console.log(`${String(list.length).padStart(5)} files ${String(sum(list)).padStart(7)} lines  ${name}`)
console.log(`${String(product.length).padStart(5)} files ${String(sum(product)).padStart(7)} lines  in all`)

const lengths = product.map(({ lines }) => lines).sort((one, other) => one - other)
const services = product.filter(({ path }) => path.startsWith('services/'))
const wiring = services.reduce((total, file) => total + countWiring(file), 0)
const users = [...findUsers(product).values()]
const documents = files.filter(({ path }) => path.endsWith('.md'))
console.log(
  `median file: ${lengths[Math.floor(lengths.length / 2)] ?? 0} lines, longest: ${lengths.at(-1) ?? 0}`,
)
console.log(`wiring in services: ${((100 * wiring) / sum(services)).toFixed(1)} %`)
console.log(`exports with one user: ${users.filter((count) => count === 1).length} of ${users.length}`)
console.log(`tests: ${sum(files.filter((file) => isTest(file) && !file.path.endsWith('.md')))} lines`)
console.log(
  `documents: ${Math.round(documents.reduce((total, { text }) => total + Buffer.byteLength(text), 0) / 1_000)} kB`,
)
