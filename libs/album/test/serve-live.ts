/** A server of live updates, which accepts a stream while it is available. */
export const serveLive = () => {
  const server = {
    isAvailable: true,
    connections: 0,
    send: (_: object): void => undefined,
    end: (): void => undefined,
  }
  const stream = () => {
    let push: ((chunk: { done: boolean; value?: Uint8Array }) => void) | undefined
    const chunks: { done: boolean; value?: Uint8Array }[] = []
    const add = (chunk: { done: boolean; value?: Uint8Array }): void => {
      if (push) push(chunk)
      else chunks.push(chunk)
      push = undefined
    }
    server.send = ({ name, ...data }: { name?: string }) =>
      add({
        done: false,
        value: new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
      })
    server.end = () => add({ done: true })
    const read = () =>
      new Promise((resolve) => {
        const chunk = chunks.shift()
        if (chunk) resolve(chunk)
        else push = resolve
      })
    return { getReader: () => ({ read }) }
  }
  globalThis.fetch = (() => {
    server.connections += 1
    const headers = new Map([['Content-Type', 'text/event-stream']])
    return Promise.resolve(
      server.isAvailable
        ? { ok: true, status: 200, headers, body: stream() }
        : { ok: false, status: 503, headers: new Map() },
    )
  }) as unknown as typeof fetch
  return server
}
