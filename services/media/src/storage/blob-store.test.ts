import { blobNames } from '@confetti/contracts'
import { createMemoryBlobStorage } from '@confetti/test-kit/memory-blobs'
import { expect, test } from '@jest/globals'
import { createBlobStore } from './blob-store.ts'

test('When a guest has something copied that does not end, by the link of an upload, then its blobs are removed nevertheless', async () => {
  const now = new Date('2026-06-12T20:00:00Z')
  const { connect, linkSigner, send } = createMemoryBlobStorage({ now: () => now })
  const [service, containerName, uploadId] = [connect(), 'photos', 'a'.repeat(24)]
  const container = service.getContainerClient(containerName)
  await container.createIfNotExists()
  const blobs = createBlobStore({ service, containerName })
  await blobs.putDerivatives(uploadId, { thumbnail: Buffer.from('a'), preview: Buffer.from('b') })

  const original = container.getBlobClient(blobNames.original(uploadId))
  const link = linkSigner.sign(
    { containerName, blobName: original.name },
    { permissions: 'c', startsAt: now, expiresAt: new Date(now.getTime() + 3_600_000) },
  )
  const headers = { 'x-ms-copy-source': 'https://other.example/endless' }
  expect(await send(`${original.url}?${link}`, { method: 'PUT', headers })).toEqual({ status: 202 })

  await blobs.removeUpload(uploadId)
  const left: string[] = []
  for await (const { name } of container.listBlobsFlat()) left.push(name)
  expect(left).toEqual([])
})
