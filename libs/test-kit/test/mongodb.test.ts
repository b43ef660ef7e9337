import { randomBytes } from 'node:crypto'
import { testBackends } from '@confetti/test-kit'
import mongoose from 'mongoose'
import { describeDatabase } from './database-contract.ts'

describeDatabase('A real server', () =>
  mongoose.createConnection(`${testBackends().mongo}/test-${randomBytes(6).toString('hex')}`).asPromise(),
)
