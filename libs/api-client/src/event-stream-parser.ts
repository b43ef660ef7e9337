/** A server-sent event as it arrives. */
export interface StreamEvent {
  id: string | undefined
  name: string
  data: string
}

interface Handlers {
  onEvent: (event: StreamEvent) => void
  /** The server says how long to wait before the next connection. */
  onRetry: (milliseconds: number) => void
}

const MAX_EVENT_CHARACTERS = 65_536

/**
 * Parses server-sent events from text that arrives in pieces. Throws if an event is longer than 65,536 characters.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export const createEventStreamParser = ({ onEvent, onRetry }: Handlers): ((text: string) => void) => {
  let rest = ''
  let id: string | undefined
  let name = ''
  let data: string[] = []

  const dispatch = (): void => {
    if (data.length > 0) onEvent({ id, name: name || 'message', data: data.join('\n') })
    name = ''
    data = []
  }
  const readField = (field: string, value: string): void => {
    if (field === 'data') data.push(value)
    else if (field === 'event') name = value
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d+$/.test(value)) onRetry(Number(value))
  }
  const readLine = (line: string): void => {
    if (line === '') {
      dispatch()
      return
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    readField(field, value)
  }
  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line)
    const length = data.reduce((sum, part) => sum + part.length, rest.length)
    if (length > MAX_EVENT_CHARACTERS) throw new Error('An event is too long.')
  }
}
