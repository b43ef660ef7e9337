import type { Readable } from 'node:stream'
import type { Busboy } from 'busboy'

/**
 * Works around a bug of busboy 1.6.0. After a malformed part header, or one cut off by a delimiter, busboy continues
 * parsing and may emit a file that it never ends. The reader of that file waits forever; the form waits for the reader.
 *
 * Fails a form that ends, or starts another file, before its last file has ended. Returns a function that destroys the
 * files that have not ended; call it when the form has failed.
 *
 * Upstream: https://github.com/mscdex/busboy/issues/377 describes the malformed header and is open; no issue is known
 * for the header that is cut off. Decision 027 has the details.
 */
export const guardLastFile = (form: Busboy): ((error: Error) => void) => {
  const unfinished = new Set<Readable>()

  form.on('file', (_, file) => {
    // busboy has lost the previous file, and may wait for this one to be read, which only happens after that one.
    if (unfinished.size > 0)
      form.destroy(new Error('A file of the form starts before the previous one has ended'))
    unfinished.add(file)
    const push = file.push.bind(file)
    file.push = (chunk, encoding) => {
      if (chunk === null) unfinished.delete(file)
      return push(chunk, encoding)
    }
  })

  // The original `_final` waits until all files have been read to their end.
  const finish = form._final.bind(form)
  form._final = (done) => {
    if (unfinished.size === 0) finish(done)
    else done(new Error('The form ends before its last file'))
  }

  return (error) => {
    for (const file of unfinished) file.destroy(error)
  }
}
