import { DryMongoBinary, MongoBinary } from 'mongodb-memory-server-core'

const host = 'https://fastdl.mongodb.org'

const reason = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message : message
}

/** A mongod of mongodb-memory-server's download, kept for later runs; or soon the problem with its host. */
export const downloadMongod = async (
  report: (line: string) => void,
): Promise<{ program?: string; problem?: string }> => {
  try {
    const kept = await DryMongoBinary.locateBinary(DryMongoBinary.getEnsuredOptions())
    if (kept) return { program: kept }
    // Its own retries take most of a minute where the host cannot be reached.
    await fetch(host, { method: 'HEAD', signal: AbortSignal.timeout(5000) })
    report('downloading MongoDB, some 100 MB, once per machine ...')
    return { program: await MongoBinary.getPath() }
  } catch (error) {
    return { problem: reason(error) }
  }
}
