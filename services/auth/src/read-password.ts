import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { invalid } from '@confetti/service-kit'

const deaf = new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * A new password from standard input: typed twice and not shown where a person sits there, otherwise its first
 * line. Throws `invalid` when the two differ or nothing comes.
 */
export const readPassword = async (): Promise<string> => {
  const isTyped = process.stdin.isTTY
  // With `terminal`, readline echoes to its output alone, and that shows nothing.
  const lines = createInterface({ input: process.stdin, output: deaf, terminal: isTyped })
  lines.once('SIGINT', () => lines.close())
  const input = lines[Symbol.asyncIterator]()
  const ask = async (prompt: string): Promise<string> => {
    if (isTyped) process.stderr.write(prompt)
    const { value, done } = await input.next()
    if (isTyped) process.stderr.write('\n')
    if (done) throw invalid('No password was given.')
    return value
  }
  try {
    const password = await ask('Password: ')
    if (isTyped && (await ask('Once more: ')) !== password) throw invalid('The two passwords differ.')
    return password
  } finally {
    lines.close()
  }
}
