import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import type { Feed } from '../feed/feed.ts'
import { createLibrary } from './library.ts'

const consent = { version: 'v1', at: '2026-06-20T18:00:00.000Z' }
const uploadedAt = new Date('2026-06-20T18:01:00.000Z')

test('When the consents of many uploads are read, then one page at a time, and no cell is a formula', async () => {
  const names = ['Ann', '=HYPERLINK("x")', ' +1', '-1', '@a', '\t=1', 'Bo "B", C']
  const limits: number[] = []
  const uploads = {
    list: (_: string, { limit, after }: { limit: number; after?: number }) => {
      limits.push(limit)
      const photoCredit = names[after ?? 0]
      const next = (after ?? 0) + 1
      return Promise.resolve({
        uploads: [
          { _id: 'id', photoCredit, originalName: 'a.jpg', uploadedAt, ...(next > 1 && { consent }) },
        ],
        ...(next < names.length && { next }),
      })
    },
  }
  const library = createLibrary({ uploads } as unknown as Deps, {} as Feed)
  const parts: string[] = []
  for await (const part of library.listConsents({ _id: 'event' } as never)) parts.push(part)
  expect(parts).toHaveLength(names.length)
  expect(new Set(limits)).toEqual(new Set([500]))
  const [head, first, ...others] = parts.join('').split('\r\n')
  expect(head).toBe('\uFEFF"upload","name","file","uploaded at","consent version","agreed at"')
  expect(first).toBe('"id","Ann","a.jpg","2026-06-20T18:01:00.000Z","",""')
  expect(others.map((line) => line.split(',"a.jpg"')[0])).toEqual([
    '"id","\'=HYPERLINK(""x"")"',
    '"id","\' +1"',
    '"id","\'-1"',
    '"id","\'@a"',
    '"id","\'\t=1"',
    '"id","Bo ""B"", C"',
    '',
  ])
})
