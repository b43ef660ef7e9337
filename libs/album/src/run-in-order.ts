/** Creates a function that runs calls one after the other, whether they succeed or not. */
export const runInOrder = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(call: () => Promise<T>): Promise<T> => {
    const result = last.then(call, call)
    last = result.catch(() => undefined)
    return result
  }
}
