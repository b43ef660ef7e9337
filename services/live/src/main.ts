import { runService } from '@confetti/service-kit'
import { configSchema } from './config.ts'
import { startLive } from './start.ts'

await runService(configSchema, process.env, startLive)
