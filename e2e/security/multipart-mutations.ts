import fc from 'fast-check'
import { corpus, type MultipartBody } from './multipart-body.ts'

/** What parsers of forms look for, and what they have stumbled over. */
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
  kind: 'cut' | 'insert' | 'repeat' | 'flip' | 'borrow' | 'truncate'
  at: number
  length: number
  with: number
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('cut', 'insert', 'repeat', 'flip', 'borrow', 'truncate'),
  at: fc.nat(8_000),
  length: fc.oneof({ weight: 4, arbitrary: fc.nat(60) }, fc.nat(2_000)),
  with: fc.nat(255),
})

const join = (...parts: readonly Buffer[]): Buffer<ArrayBuffer> => Buffer.concat(parts)

const apply = (
  body: Buffer<ArrayBuffer>,
  { kind, at, length, with: choice }: Mutation,
): Buffer<ArrayBuffer> => {
  const place = at % (body.length + 1)
  const [before, after] = [body.subarray(0, place), body.subarray(place)]
  switch (kind) {
    case 'cut':
      return join(before, after.subarray(length))
    case 'insert':
      return join(before, tokens[choice % tokens.length] ?? Buffer.of(), after)
    case 'repeat':
      return join(before, ...Array<Buffer>(1 + (choice % 20)).fill(after.subarray(0, length)), after)
    case 'flip':
      return join(before, Buffer.of((after[0] ?? 0) ^ (choice || 1)), after.subarray(1))
    case 'borrow': {
      const other = corpus[choice % corpus.length]?.body ?? Buffer.of()
      return join(before, other.subarray(at % (other.length + 1)).subarray(0, length), after)
    }
    case 'truncate':
      return join(before)
  }
}

export interface MutatedBody extends MultipartBody {
  /** The sizes of the pieces in which it goes over the wire; without any, it goes in one, with its length. */
  pieces: readonly number[]
}

/** Bodies of the corpus after some mutations. */
export const mutatedBody: fc.Arbitrary<MutatedBody> = fc
  .record({
    // The large ones are sent as they are: changing them shows what changing small ones shows.
    base: fc.constantFrom(...corpus.filter(({ body }) => body.length < 8_000)),
    mutations: fc.array(mutation, { minLength: 1, maxLength: 6 }),
    contentType: fc.option(fc.constantFrom(...corpus.map(({ contentType }) => contentType)), { freq: 10 }),
    pieces: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
    ),
  })
  .map(({ base, mutations, contentType, pieces }) => ({
    contentType: contentType ?? base.contentType,
    body: mutations.reduce(apply, base.body),
    pieces,
  }))
