import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { databaseUrl } from '@confetti/launcher'
import { namespace, readBackendAddresses } from './backend-addresses.ts'
import { root } from './paths.ts'

// Makes records of uploads that only blob storage knows. If MONGO_URL is not set, in the system that `npm start` runs in
// this checkout.
const readOwnSystem = async (): Promise<Record<string, string>> => {
  const { mongo, blob } = await readBackendAddresses()
  return {
    MONGO_URL: databaseUrl(mongo, namespace, 'uploads'),
    BLOB_CONNECTION_STRING: blob,
    BLOB_CONTAINER: namespace,
  }
}

const command = spawn(process.execPath, ['src/recover-uploads.ts', ...process.argv.slice(2)], {
  cwd: join(root, 'services/uploads'),
  stdio: 'inherit',
  env: { ...process.env, ...(!process.env.MONGO_URL && (await readOwnSystem())) },
})
const [code] = (await once(command, 'exit')) as [number | null]
process.exitCode = code ?? 1
