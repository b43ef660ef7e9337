import { runService } from '@confetti/service-kit'
import { configSchema } from './config.ts'
import { startEvents } from './start.ts'

await runService(configSchema, process.env, startEvents)
