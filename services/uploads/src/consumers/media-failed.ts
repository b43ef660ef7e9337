import { defineConsumer } from '@confetti/messaging'
import type { RecordProcessing } from '../domain/record-processing.ts'

export interface MediaFailedDeps {
  recordProcessing: RecordProcessing
}

export const mediaFailedConsumer = ({ recordProcessing }: MediaFailedDeps) =>
  defineConsumer('uploads.media-failed', ({ data }) => recordProcessing.failed(data))
