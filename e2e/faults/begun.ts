import type { ServiceProcess } from '@confetti/launcher'
import { counter } from '@confetti/test-kit'

/** How many uploads these replicas of the uploads service have begun to take in since they run. */
export const begunBy = (replicas: readonly ServiceProcess[]): Promise<number> =>
  counter({ replicas: () => replicas }, 'uploads', 'uploads_phase_duration_seconds_count', { phase: 'admit' })
