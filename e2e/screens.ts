import type { Screen } from './screen.ts'
import { adminScreens } from './screens-of-admins.ts'
import { guestScreens } from './screens-of-guests.ts'
import { organiserScreens } from './screens-of-organisers.ts'

/** Every screen of the specification's section 2, with the texts that it names. */
export const screens: readonly Screen[] = [...guestScreens, ...organiserScreens, ...adminScreens]
