import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

/** A loader for rspack: compiles the ICU messages of a catalogue, so that browsers need no parser. Throws if one is invalid. */
export default function compileCatalogue(source) {
  const entries = Object.entries(JSON.parse(source)).map(([id, message]) => [
    id,
    compileMessageOrThrow(message),
  ])
  return `export default ${JSON.stringify(Object.fromEntries(entries))}`
}
