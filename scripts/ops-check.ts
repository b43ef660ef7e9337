import { ensureTools } from '@confetti/ops/tools'
import { runJest } from './jest.ts'

// Checks what operators get: images, compose file, manifests, workflows, alerts.

const found = await ensureTools((line) => console.log(line))
if ('tools' in found) {
  const passed = await runJest(['ops/'], { CONFETTI_OPS_TOOLS: JSON.stringify(found.tools) })
  process.exitCode = passed ? 0 : 1
} else {
  console.error(
    `These cannot be had here: ${found.missing.join(', ')}. Install them, or Go, Python with pip and Debian's apt-get.`,
  )
  process.exitCode = 1
}
