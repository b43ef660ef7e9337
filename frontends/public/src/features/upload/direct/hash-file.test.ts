import { expect, jest, test } from '@jest/globals'
import { hashFile } from './hash-file.ts'

const { signal } = new AbortController()

test('When a file is sent again, then its hash is not computed again', async () => {
  const file = new File(['abc'], 'a.jpg')
  const read = jest.spyOn(file, 'arrayBuffer')
  const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect([await hashFile(file, signal), await hashFile(file, signal)]).toEqual([sha256, sha256])
  expect(read).toHaveBeenCalledTimes(1)
})

test('When a file could not be read, then the next attempt reads it again', async () => {
  const file = new File(['abc'], 'a.jpg')
  jest.spyOn(file, 'arrayBuffer').mockRejectedValueOnce(new Error('It is in a cloud.'))
  expect(await hashFile(file, signal)).toBeUndefined()
  expect(await hashFile(file, signal)).toBeDefined()
})
