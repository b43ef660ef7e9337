import { join } from 'node:path'
import { ensureTools } from '@confetti/ops/tools'
import { runJest } from './jest.ts'
import { root } from './paths.ts'

// Runs the tests in ops/: images, compose file, manifests, workflows, alerts.

const found = await ensureTools((line) => console.log(line))
if ('tools' in found) {
  // An absolute path, because `ops/` would also match a parent folder of the checkout whose name ends in
  // `ops`.
  const { passed } = await runJest([join(root, 'ops/')], { CONFETTI_OPS_TOOLS: JSON.stringify(found.tools) })
  process.exitCode = passed ? 0 : 1
} else {
  console.error(
    `These tools could not be installed: ${found.missing.join(', ')}. Install them, or Go, Python with pip and Debian's apt-get.`,
  )
  process.exitCode = 1
}
