import type { UploadTotal } from '@confetti/contracts'
import type { UploadStore } from '../upload.ts'
import type { UploadModel } from './upload-model.ts'

export const makeComputeTotal = (model: UploadModel): UploadStore['total'] => {
  // Three queries, because FerretDB computes only the first accumulator of a `$group`.
  const computeTotal = async (eventId: string): Promise<UploadTotal> => {
    const filter = { eventId, deleted: false }
    const [files, [byGuest], [bySize]] = await Promise.all([
      model.countDocuments(filter),
      model.aggregate<{ guests: number }>([
        { $match: filter },
        { $group: { _id: '$photoCredit' } },
        { $count: 'guests' },
      ]),
      model.aggregate<{ bytes: number }>([
        { $match: filter },
        { $group: { _id: null, bytes: { $sum: '$size' } } },
      ]),
    ])
    return { files, guests: byGuest?.guests ?? 0, bytes: bySize?.bytes ?? 0 }
  }
  const pendingTotals = new Map<string, Promise<UploadTotal>>()

  return (eventId) => {
    const pending =
      pendingTotals.get(eventId) ??
      computeTotal(eventId).finally(() => {
        pendingTotals.delete(eventId)
      })
    pendingTotals.set(eventId, pending)
    return pending
  }
}
