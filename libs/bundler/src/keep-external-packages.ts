import { readFile, writeFile } from 'node:fs/promises'
import { externalPackages } from './external-packages.ts'

// node libs/bundler/src/keep-external-packages.ts <package.json>...
// Leaves in the manifests only the dependencies that a bundle does not contain.

for (const file of process.argv.slice(2)) {
  const { dependencies = {}, ...manifest } = JSON.parse(await readFile(file, 'utf8')) as {
    dependencies?: Record<string, string>
  }
  const kept = Object.entries(dependencies).filter(([name]) => externalPackages.includes(name))
  await writeFile(file, JSON.stringify({ ...manifest, dependencies: Object.fromEntries(kept) }))
}
