import type { ServiceProcess } from '@confetti/launcher'
import { readCounter } from '@confetti/test-kit'

/** Counts the upload requests that these replicas of the uploads service have started since their process started. */
export const countStartedUploads = (replicas: readonly ServiceProcess[]): Promise<number> =>
  readCounter({ replicas: () => replicas }, 'uploads', 'uploads_phase_duration_seconds_count', {
    phase: 'admit',
  })
