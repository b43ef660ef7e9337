import { describeDatabase } from '../../test/database-contract.ts'
import { createMemoryDatabase } from './database.ts'

describeDatabase('A database in memory', () => Promise.resolve(createMemoryDatabase().connect()))
