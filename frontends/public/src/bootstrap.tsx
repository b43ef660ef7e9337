import { runAlone } from '@confetti/federation/alone'
import { routes } from './routes.tsx'

runAlone({ routes })
