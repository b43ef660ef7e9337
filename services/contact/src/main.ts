import { runService } from '@confetti/service-kit'
import { configSchema } from './config.ts'
import { startContact } from './start.ts'

await runService(configSchema, process.env, startContact)
