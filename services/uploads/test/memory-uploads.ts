import type { Clock } from '@confetti/service-kit'
import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { createUploadStore } from '../src/storage/open-stores.ts'
import { createUploadModel } from '../src/storage/upload-model.ts'

/** Opens the store of uploads in a database in memory. Nobody publishes its messages. */
export const openMemoryUploads = (
  clock: Clock,
  { connection = createMemoryDatabase().connect(), processingTimeoutMs = 60_000 } = {},
) => {
  const model = createUploadModel(connection)
  const uploads = createUploadStore(
    model,
    { wakeRelay: () => undefined, publishLeased: () => undefined },
    {
      config: { PROCESSING_TIMEOUT_MS: processingTimeoutMs },
      clock,
      eventTotals: { add: () => undefined },
      onChanged: () => undefined,
    },
  )
  return { connection, model, uploads }
}
