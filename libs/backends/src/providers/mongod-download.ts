import { DryMongoBinary, MongoBinary } from 'mongodb-memory-server-core'

const downloadHost = 'https://fastdl.mongodb.org'

const rootCauseMessage = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message : message
}

/**
 * Returns the path of a mongod that mongodb-memory-server downloads once and caches, or the reason why it
 * cannot be downloaded: after 5 s if the host is not reachable.
 */
export const downloadMongod = async (
  report: (line: string) => void,
): Promise<{ program?: string; problem?: string }> => {
  try {
    const cached = await DryMongoBinary.locateBinary(DryMongoBinary.getEnsuredOptions())
    if (cached) return { program: cached }
    // Checks the host first: mongodb-memory-server retries for most of a minute if it is not reachable.
    await fetch(downloadHost, { method: 'HEAD', signal: AbortSignal.timeout(5000) })
    report('downloading MongoDB (about 100 MB, once per machine) ...')
    return { program: await MongoBinary.getPath() }
  } catch (error) {
    return { problem: rootCauseMessage(error) }
  }
}
