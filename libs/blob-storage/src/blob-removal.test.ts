import { RestError, type ContainerClient } from '@azure/storage-blob'
import { expect, test } from '@jest/globals'
import { createBlobRemoval } from './blob-removal.ts'

// What Azurite does not refuse. https://learn.microsoft.com/azure/storage/blobs/access-tiers-overview#archive-access-tier

const openContainer = (refusals: string[]) => {
  const calls: string[] = []
  const refuse = (): Promise<void> => {
    const code = refusals[0]
    return code ? Promise.reject(new RestError(code, { code, statusCode: 409 })) : Promise.resolve()
  }
  const blob = {
    upload: () => {
      calls.push('upload')
      return refuse()
    },
    deleteIfExists: async () => {
      calls.push('delete')
      if (refusals[0] === 'LeaseIdMissing') await refuse()
      refusals.length = 0
      return { succeeded: true }
    },
    getBlobLeaseClient: () => ({
      breakLease: () => {
        calls.push('break lease')
        refusals.shift()
        return Promise.resolve()
      },
    }),
  }
  const container = { getBlockBlobClient: () => blob } as unknown as ContainerClient
  const removal = createBlobRemoval(container, () => ({ abortSignal: new AbortController().signal }))
  return { ...removal, calls }
}

test.each(['BlobArchived', 'InvalidBlobType'])(
  'When a guest has made of a blob what cannot be overwritten (%s), then it is deleted first',
  async (code) => {
    const { removeBlobOrBlocks, calls } = openContainer([code])
    await removeBlobOrBlocks('name')
    expect(calls).toEqual(['upload', 'delete', 'upload', 'delete'])
  },
)

test('When a guest has leased a blob and archived it, then it is removed nevertheless', async () => {
  const { removeBlobOrBlocks, calls } = openContainer(['LeaseIdMissing', 'BlobArchived'])
  await removeBlobOrBlocks('name')
  expect(calls).toEqual(['upload', 'break lease', 'upload', 'delete', 'upload', 'delete'])
})
