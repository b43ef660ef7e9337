import { createLogger } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createSweep } from './sweep.ts'

/** A sweep whose parts say that they ran. `failing` throws. */
const startSweep = (
  failing?: string,
  stopping: AbortSignal = new AbortController().signal,
  onFailure: () => void = () => undefined,
) => {
  const ran: string[] = []
  const run =
    <T>(part: string, result: T) =>
    (): Promise<T> => {
      ran.push(part)
      if (part !== failing) return Promise.resolve(result)
      onFailure()
      return Promise.reject(new Error(part))
    }
  const deps = {
    config: {
      ORPHAN_AGE_MS: 1,
      ORPHAN_QUARANTINE_MS: 0,
      SWEEP_ORPHANS_LIMIT: 1,
      TICKET_LIFE_MS: 1,
      MAX_UPLOAD_DURATION_MS: 1,
    },
    uploads: { listDeleted: run('deleted', []), removeRecords: () => Promise.resolve() },
    archives: { removeExpired: run('archives', 0) },
    blobs: {},
    unreadPeriods: { list: run('orphans', []) },
    orphans: {
      list: () => Promise.resolve([]),
      remove: () => Promise.resolve(),
      postpone: () => Promise.resolve(),
      count: () => Promise.resolve(0),
    },
    erasedIds: { removeOld: run('erased ids', undefined) },
    eventTotals: { listOld: run('totals', []) },
    lingeringLinks: { list: run('late', []) },
    runAlone: (_: string, work: () => Promise<void>) => work().then(() => true),
    stopping,
    clock: () => new Date(0),
    metrics: { swept: () => undefined, orphansKept: () => undefined },
    logger: createLogger('test', 'silent'),
  }
  const sweep = createSweep(deps as unknown as Deps, {
    overdue: {
      requestProcessing: run('processing', { requeued: 0, abandoned: 0, retried: 0 }),
      requestRenditions: run('renditions', 0),
      requestCopies: run('copies', 0),
      replaceLostMessages: () => Promise.resolve(),
    },
    captureTimes: { refreshAll: run('captures', 0), refreshEvent: () => Promise.resolve() },
    eraseUncompleted: () => Promise.resolve([]),
    restoredDatabase: { isRestored: () => Promise.resolve(false) },
  })
  return { sweep, ran }
}

const parts = [
  'processing',
  'renditions',
  'copies',
  'archives',
  'deleted',
  'orphans',
  'late',
  'captures',
  'erased ids',
  'totals',
]

test('When nothing fails, then all parts of a sweep run', async () => {
  const { sweep, ran } = startSweep()
  await sweep()
  expect(ran).toEqual(parts)
})

test.each(parts)(
  'When the part %s always fails, then the others run, and the sweep counts as failed',
  async (part) => {
    const { sweep, ran } = startSweep(part)
    await expect(sweep()).rejects.toThrow('parts of the sweep failed')
    expect(ran).toEqual(parts)
  },
)

test('When the service stops during a part, then the sweep ends, and does not count as failed', async () => {
  const stopping = new AbortController()
  const { sweep, ran } = startSweep('archives', stopping.signal, () =>
    stopping.abort(new Error('The service stops')),
  )
  await sweep()
  expect(ran).toEqual(['processing', 'renditions', 'copies', 'archives'])
})
