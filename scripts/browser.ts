import type { Tool } from '@confetti/backends'

/** What the tests and the measurements drive. */
export const browserTool: Tool = { program: 'chromium', debianPackage: 'chromium' }
