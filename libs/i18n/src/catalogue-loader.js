import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

/**
 * A loader for rspack: compiles the ICU messages of a catalogue, so that browsers need no parser. What a language lacks is
 * in English. Throws if a message is invalid.
 */
export default function compileCatalogue(source) {
  const english = join(this.context, 'en.json')
  this.addDependency(english)
  const messages = { ...JSON.parse(readFileSync(english, 'utf8')), ...JSON.parse(source) }
  const entries = Object.entries(messages).map(([id, message]) => [id, compileMessageOrThrow(message)])
  return `export default ${JSON.stringify(Object.fromEntries(entries))}`
}
