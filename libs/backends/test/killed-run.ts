// A run that does not get to end what it started: its test kills it.
import { startBackend } from '../src/index.ts'

const [dataDir = ''] = process.argv.slice(2)
const { url } = await startBackend('redis', { dataDir, report: () => {}, env: {} })
console.log(url)
