import { defineConsumer } from '@confetti/messaging'
import type { RecordProcessing } from '../domain/record-processing.ts'

export interface MediaProcessedDeps {
  recordProcessing: RecordProcessing
}

export const mediaProcessedConsumer = ({ recordProcessing }: MediaProcessedDeps) =>
  defineConsumer('uploads.media-processed', ({ data }) => recordProcessing.ready(data))
