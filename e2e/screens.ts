import { adminScreens } from './admin-screens.ts'
import { guestScreens } from './guest-screens.ts'
import { organiserScreens } from './organiser-screens.ts'
import type { Screen } from './screen.ts'

/** All screens, those in section 2 of the specification with the texts that it requires. */
export const screens: readonly Screen[] = [...guestScreens, ...organiserScreens, ...adminScreens]
