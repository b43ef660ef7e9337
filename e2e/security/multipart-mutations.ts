import fc from 'fast-check'
import { corpus, type MultipartBody } from './multipart-body.ts'

/** Tokens of the multipart syntax, and byte sequences that are known to break parsers. */
const tokens = [
  '\r\n',
  '\r',
  '\n',
  '\r\n\r\n',
  '--x',
  '\r\n--x',
  '\r\n--x--',
  '--',
  '\0',
  '"',
  '\\',
  ';',
  ':',
  '=',
  '%00',
  '\xff\xfe',
  '\ufeff',
  'Content-Disposition: form-data; name="__proto__"\r\n\r\n',
  'Content-Disposition: form-data; name="eventId"\r\n\r\n{"$gt":""}\r\n--x\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Type: multipart/mixed; boundary=x\r\n',
  "; filename*=utf-8''%ff%00%2e%2e%2f",
  '; filename*0*=x; filename*1=y',
  '; name=""',
].map((token) => Buffer.from(token, 'latin1'))

interface Mutation {
  kind: 'delete' | 'insert' | 'repeat' | 'flip' | 'splice' | 'truncate'
  position: number
  length: number
  /** Selects the inserted token, the number of repetitions, the flipped bits or the other body. */
  choice: number
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('delete', 'insert', 'repeat', 'flip', 'splice', 'truncate'),
  position: fc.nat(8_000),
  length: fc.oneof({ weight: 4, arbitrary: fc.nat(60) }, fc.nat(2_000)),
  choice: fc.nat(255),
})

const join = (...parts: readonly Buffer[]): Buffer<ArrayBuffer> => Buffer.concat(parts)

const applyMutation = (
  body: Buffer<ArrayBuffer>,
  { kind, position, length, choice }: Mutation,
): Buffer<ArrayBuffer> => {
  const offset = position % (body.length + 1)
  const [before, after] = [body.subarray(0, offset), body.subarray(offset)]
  switch (kind) {
    case 'delete':
      return join(before, after.subarray(length))
    case 'insert':
      return join(before, tokens[choice % tokens.length] ?? Buffer.of(), after)
    case 'repeat':
      return join(before, ...Array<Buffer>(1 + (choice % 20)).fill(after.subarray(0, length)), after)
    case 'flip':
      return join(before, Buffer.of((after[0] ?? 0) ^ (choice || 1)), after.subarray(1))
    case 'splice': {
      const other = corpus[choice % corpus.length]?.body ?? Buffer.of()
      return join(before, other.subarray(position % (other.length + 1)).subarray(0, length), after)
    }
    case 'truncate':
      return join(before)
  }
}

export interface MutatedBody extends MultipartBody {
  /** The sizes of the chunks in which the body is sent. If empty, it is sent at once with a Content-Length. */
  chunkSizes: readonly number[]
}

/** Generates bodies of the corpus after one to six mutations. */
export const mutatedBody: fc.Arbitrary<MutatedBody> = fc
  .record({
    // Large bodies are not mutated, because their mutations test the same as those of small bodies.
    base: fc.constantFrom(...corpus.filter(({ body }) => body.length < 8_000)),
    mutations: fc.array(mutation, { minLength: 1, maxLength: 6 }),
    contentType: fc.option(fc.constantFrom(...corpus.map(({ contentType }) => contentType)), { freq: 10 }),
    chunkSizes: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
    ),
  })
  .map(({ base, mutations, contentType, chunkSizes }) => ({
    contentType: contentType ?? base.contentType,
    body: mutations.reduce(applyMutation, base.body),
    chunkSizes,
  }))
