import { runService } from '@confetti/service-kit'
import { configSchema } from './config.ts'
import { startNotifications } from './start.ts'

await runService(configSchema, process.env, startNotifications)
