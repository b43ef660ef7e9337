import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { databaseUrl } from '@confetti/launcher'
import { namespace, root, runningBackends } from './places.ts'

// Makes an admin: in the system that `npm start` runs here, else in the auth database that MONGO_URL names.
const mongoUrl = await runningBackends().then(
  ({ mongo }) => databaseUrl(mongo, namespace, 'auth'),
  (error: unknown) => {
    if (process.env.MONGO_URL) return process.env.MONGO_URL
    throw error
  },
)
const command = spawn(process.execPath, ['src/create-admin.ts', ...process.argv.slice(2)], {
  cwd: join(root, 'services/auth'),
  stdio: 'inherit',
  env: { ...process.env, MONGO_URL: mongoUrl },
})
const [code] = (await once(command, 'exit')) as [number | null]
process.exitCode = code ?? 1
