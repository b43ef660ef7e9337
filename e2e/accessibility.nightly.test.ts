import { afterAll, beforeAll } from '@jest/globals'
import { testScreenStates } from './screen-state-tests.ts'
import { testScreens } from './screen-tests.ts'
import { startSeededSite, type SeededSite } from './seeded-site.ts'

let seededSite: SeededSite
beforeAll(async () => {
  seededSite = await startSeededSite()
})
afterAll(() => seededSite.site.stop())

testScreens(() => seededSite, 'matrix')
testScreenStates(() => seededSite, 'matrix')
