import { z } from 'zod'

/** The storage account, and how to sign in to it: one of the first two is set. */
export const blobConfig = z.object({
  /** Address and key of the account. */
  BLOB_CONNECTION_STRING: z.string().min(1).optional(),
  /** Address of an Azure account that the managed identity of this process has access to. */
  BLOB_ACCOUNT_URL: z.url().optional(),
  BLOB_CONTAINER: z.string().min(3).default('confetti'),
})
export type BlobConfig = z.infer<typeof blobConfig>
