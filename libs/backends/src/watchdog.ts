// Stops the servers of a run that was killed. Its standard input is a pipe that closes when the run exits.
import { stopOrphanedServers } from './process-records.ts'

const [dataDir = ''] = process.argv.slice(2)
process.stdin.resume().once('end', () => void stopOrphanedServers(dataDir))
