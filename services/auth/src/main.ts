import { runService } from '@confetti/service-kit'
import { configSchema } from './config.ts'
import { startAuth } from './start.ts'

await runService(configSchema, process.env, startAuth)
