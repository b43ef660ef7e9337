// Starts Redis in a process of its own and never stops it, for tests that kill the process.
import { startBackend } from '../src/index.ts'

const [dataDir = ''] = process.argv.slice(2)
const { url } = await startBackend('redis', { dataDir, report: () => {}, env: {} })
console.log(url)
