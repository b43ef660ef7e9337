// A run in a process of its own, which does not end what it started: its test kills it.
import { startBackend } from '../src/index.ts'

const [dataDir = ''] = process.argv.slice(2)
const { url } = await startBackend('redis', { dataDir, report: () => {}, env: {} })
console.log(url)
