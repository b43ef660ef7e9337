import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { databaseUrl } from '@confetti/launcher'
import { namespace, root, runningBackends } from './places.ts'

// Makes an admin: in the database that MONGO_URL names, else in the system that `npm start` runs here, whose
// MONGO_URL, if there is one, names a server alone.
const given = process.env.MONGO_URL
const namesDatabase = given !== undefined && /^[^/]+\/\/[^/]+\/[^?]/.test(given)
const mongoUrl = namesDatabase ? given : databaseUrl((await runningBackends()).mongo, namespace, 'auth')
const command = spawn(process.execPath, ['src/create-admin.ts', ...process.argv.slice(2)], {
  cwd: join(root, 'services/auth'),
  stdio: 'inherit',
  env: { ...process.env, MONGO_URL: mongoUrl },
})
const [code] = (await once(command, 'exit')) as [number | null]
process.exitCode = code ?? 1
