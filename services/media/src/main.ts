import { runService } from '@confetti/service-kit'
import { configSchema } from './config.ts'
import { startMedia } from './start.ts'

await runService(configSchema, process.env, startMedia)
