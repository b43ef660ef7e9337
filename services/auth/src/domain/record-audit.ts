import type { MessageData } from '@confetti/contracts'
import type { ErasedIds } from '@confetti/service-kit'
import type { AuditStore } from './audit.ts'

interface Deps {
  audit: Pick<AuditStore, 'add' | 'reduce'>
  erasedIds: Pick<ErasedIds, 'add' | 'has'>
}

const erasures: readonly string[] = ['event.deleted', 'user.erased']

/**
 * Adds an entry to the audit log. If it records an erasure, or comes after one, the entries about what was erased are
 * reduced.
 */
export const makeRecordAudit =
  ({ audit, erasedIds }: Deps) =>
  async (recorded: MessageData<'audit.recorded.v1'>): Promise<void> => {
    const { action, actor, subject, eventId } = recorded
    await audit.add({ ...recorded, at: new Date(recorded.at) })
    if (erasures.includes(action)) await erasedIds.add(subject.id)
    for (const id of new Set([actor._id, subject.id, eventId]))
      if (id !== undefined && (await erasedIds.has(id))) await audit.reduce(id)
  }
export type RecordAudit = ReturnType<typeof makeRecordAudit>
