import { runService } from '@confetti/service-kit'
import { configSchema } from './config.ts'
import { startUploads } from './start.ts'

await runService(configSchema, process.env, startUploads)
