// Outlives a run that is killed, and then ends the servers it left: standard input closes with its parent.
import { stopLeftovers } from './records.ts'

const [dataDir = ''] = process.argv.slice(2)
process.stdin.resume().once('end', () => void stopLeftovers(dataDir))
