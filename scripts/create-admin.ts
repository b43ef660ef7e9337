import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { databaseUrl } from '@confetti/launcher'
import { namespace, readBackendAddresses } from './backend-addresses.ts'
import { root } from './paths.ts'

// Creates an admin account in the database that MONGO_URL names. If MONGO_URL is not set or names a server
// without a database, it creates the account in the system that `npm start` runs in this checkout.
const configuredUrl = process.env.MONGO_URL
const hasDatabase = configuredUrl !== undefined && /^[^/]+\/\/[^/]+\/[^?]/.test(configuredUrl)
const mongoUrl = hasDatabase
  ? configuredUrl
  : databaseUrl((await readBackendAddresses()).mongo, namespace, 'auth')
const command = spawn(process.execPath, ['src/create-admin.ts', ...process.argv.slice(2)], {
  cwd: join(root, 'services/auth'),
  stdio: 'inherit',
  env: { ...process.env, MONGO_URL: mongoUrl },
})
const [code] = (await once(command, 'exit')) as [number | null]
process.exitCode = code ?? 1
