import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { invalid } from '@confetti/service-kit'

const nullOutput = new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * Reads a new password from standard input: at a terminal it is entered twice and not echoed, otherwise it is the
 * first line. Throws `invalid` if the two entries differ or the input is empty.
 */
export const readPassword = async (): Promise<string> => {
  const isTerminal = process.stdin.isTTY
  // With `terminal`, readline turns the terminal's echo off and writes the characters to `output` instead.
  const lines = createInterface({ input: process.stdin, output: nullOutput, terminal: isTerminal })
  lines.once('SIGINT', () => lines.close())
  const input = lines[Symbol.asyncIterator]()
  const prompt = async (text: string): Promise<string> => {
    if (isTerminal) process.stderr.write(text)
    const { value, done } = await input.next()
    if (isTerminal) process.stderr.write('\n')
    if (done) throw invalid('No password was given.')
    return value
  }
  try {
    const password = await prompt('Password: ')
    if (isTerminal && (await prompt('Repeat password: ')) !== password)
      throw invalid('The passwords do not match.')
    return password
  } finally {
    lines.close()
  }
}
