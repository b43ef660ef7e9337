import { runStandalone } from '@confetti/federation/standalone'
import { routes } from './routes.tsx'

await runStandalone({ routes })
