import { eventually } from '@confetti/test-kit'
import { listUploads } from '../harness.ts'
import type { FaultHarness } from './fault-harness.ts'

/** Resolves when this number of an event's videos have renditions. */
export const waitForRenditions = (harness: FaultHarness, eventId: string, count: number): Promise<unknown> =>
  eventually(
    async () => (await listUploads(harness, eventId)).filter(({ videoUrl }) => videoUrl).length === count,
    'each video having its rendition',
    150_000,
  )
