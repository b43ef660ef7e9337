import { runService } from '@confetti/service-kit'
import { configSchema } from './config.ts'
import { startGateway } from './start.ts'

await runService(configSchema, process.env, startGateway)
