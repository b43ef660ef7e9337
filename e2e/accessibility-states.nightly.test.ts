import { testScreenStates } from './screen-state-tests.ts'

testScreenStates('matrix')
