import { z } from 'zod'

/** A queue was missing and has been declared: at the first start, or because it was lost with its messages. */
export const queueCreatedV1 = z.object({
  /** `service.message`, without the namespace. */
  queue: z.string(),
})
